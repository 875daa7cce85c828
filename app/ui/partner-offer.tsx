import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";

/** Says that the offer below is a partner's, with the way to the usual one, which forgets the partner's. */
export function PartnerOffer() {
  const t = useT("ui");
  return (
    <p>
      {t("partnerOffer.text")}{" "}
      <a href={paths.registration({ utk: "" })}>{t("partnerOffer.usual")}</a>
    </p>
  );
}
