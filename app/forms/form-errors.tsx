import { useT } from "~/i18n/use-t";
import { ErrorSummary } from "~/ui/error-summary";
import { summaryOf, type FaultyForm } from "./use-reply";

/** The summary above a refused form, or nothing. */
export function FormErrors({ form }: { form: FaultyForm }) {
  const t = useT("forms");
  const errors = summaryOf(form);
  const correctable = errors.filter(({ id }) => id).length;
  const title = correctable ? t("summary", { count: correctable }) : t("refused");
  return <ErrorSummary title={title} errors={errors} />;
}

/** Said where a form stands that did not leave (`clientAction` of its page). */
export function UnsentForm() {
  const t = useT("forms");
  return <ErrorSummary title={t("unsent.title")} errors={[{ text: t("unsent.text") }]} />;
}
