import { useT } from "~/i18n/use-t";
import { TermsField } from "./terms-field";
import type { Control, Field } from "./use-reply";

/**
 * The terms that an order of somebody signed in accepts. `isAsked`: they are to tick them first; `isNew`:
 * the text is another one than they accepted last.
 */
export type Agreement = { href: string; isAsked: boolean; isNew: boolean };

type OrderTermsProps = { agreement: Agreement | null; field: Field; control: Control };

/** Right above the button that orders: nobody orders under terms that they are not shown. */
export function OrderTerms({ agreement, field, control }: OrderTermsProps) {
  const t = useT("forms");
  if (!agreement?.isAsked) return <NamedTerms agreement={agreement} />;
  const hint = agreement.isNew ? t("terms.new") : undefined;
  return <TermsField field={field} control={control} href={agreement.href} hint={hint} />;
}

/** Names the terms beside a button of a form without fields. */
export function NamedTerms({ agreement }: Pick<OrderTermsProps, "agreement">) {
  const t = useT("forms");
  if (!agreement) return null;
  return (
    <p className="small">
      {t("terms.ordering")} <a href={agreement.href}>{t("terms.link")}</a>.
    </p>
  );
}
