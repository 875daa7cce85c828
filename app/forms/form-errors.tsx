import { useT } from "~/i18n/use-t";
import { ErrorSummary } from "~/ui/error-summary";
import { summaryOf, type FaultyForm } from "./use-reply";

/** The error summary above a refused form. Nothing without errors. */
export function FormErrors({ form }: { form: FaultyForm }) {
  const t = useT("forms");
  const errors = summaryOf(form);
  const correctable = errors.filter(({ id }) => id).length;
  const title = correctable ? t("summary", { count: correctable }) : t("refused");
  return <ErrorSummary title={title} errors={errors} />;
}

/** The message above a form that could not be sent for lack of a network (see `unsent.ts`). */
export function UnsentForm() {
  const t = useT("forms");
  return <ErrorSummary title={t("unsent.title")} errors={[{ text: t("unsent.text") }]} />;
}
