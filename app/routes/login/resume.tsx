import { RESTORE_FIELD } from "~/forms/carried";
import { OwnerField } from "~/forms/owner";
import { useT } from "~/i18n/use-t";
import type { CarriedForm } from "~/session/carried.server";
import { Button } from "~/ui/button";
import { PageHeading } from "~/ui/page-heading";

/** Returns the form to its page. The person sends it again there: nothing is sent without them. */
export function Resume({ form: { path, fields } }: { form: CarriedForm }) {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t("resume.heading")} lead={t("resume.text")} />
      <form method="post" action={path}>
        <OwnerField />
        <input type="hidden" name={RESTORE_FIELD} value="1" />
        {fields.map(([name, value], index) => (
          <input key={index} type="hidden" name={name} value={value} />
        ))}
        <Button look="primary">{t("resume.submit")}</Button>
      </form>
    </>
  );
}
