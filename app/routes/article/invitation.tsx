import type { OrderWords } from "~/i18n/order-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Paywall } from "~/ui/paywall";

type InvitationProps = { uid: string; signedIn: boolean; offer: OrderWords | null };

/**
 * The paywall at the end of the free part. Login and registration lead back to this article
 * (R-1.4).
 */
export function Invitation({ uid, signedIn, offer }: InvitationProps) {
  const t = useT("article");
  const returnTo = paths.article(uid);
  return (
    <Paywall
      title={t("paywall.title")}
      text={signedIn ? t("paywallMember") : t("paywall.text")}
      registerHref={paths.registration({ returnTo })}
      {...(!signedIn && { loginHref: paths.login(returnTo) })}
      offer={offer?.trial && t("paywall.offer", { ...words(offer), trial: offer.trial })}
    />
  );
}

const words = ({ amount, period }: OrderWords) => ({ price: amount, period });
