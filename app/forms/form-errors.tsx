import { useEffect, useRef } from "react";
import type { Key } from "~/i18n/keys";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ErrorSummary } from "~/ui/error-summary";
import type { Unsent } from "./unsent";
import { markFailed, summaryOf, type FaultyForm } from "./use-reply";

/** The error summary above a refused form. Nothing without errors. */
export function FormErrors({ form }: { form: FaultyForm }) {
  const t = useT("forms");
  const errors = summaryOf(form);
  const correctable = errors.filter(({ id }) => id).length;
  const emptied = form.emptied ?? [];
  const title = correctable ? t("summary", { count: correctable }) : t("refused");
  return (
    <ErrorSummary title={title} errors={errors}>
      {emptied.length > 0 && (
        <p>{t("retype.text", { fields: emptied.map((name) => t(`retype.${name}`)).join(", ") })}</p>
      )}
      {form.hasNewTerms && (
        <p>
          <a href={paths.text("terms-of-service")}>{t("terms.readNew")}</a>
        </p>
      )}
    </ErrorSummary>
  );
}

type UnsentProps = {
  answer: Unsent;
  /** Says what may have happened, where `failures.any.broken` does not fit. */
  text?: Key<"forms"> | undefined;
};

/**
 * The message above a form whose post was not answered (see `unsent.ts`). It takes the focus, and the
 * title tells of it, as with a refusal of the site.
 */
export function UnsentForm({ answer, text = "failures.any.broken" }: UnsentProps) {
  const t = useT("forms");
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    summary.current?.focus();
    return markFailed();
  }, [answer]);
  const [title, words] =
    answer.unanswered === "offline"
      ? [t("unsent.title"), t("unsent.text")]
      : [t("unanswered.title"), t(text)];
  return <ErrorSummary title={title} errors={[{ text: words }]} summaryRef={summary} />;
}
