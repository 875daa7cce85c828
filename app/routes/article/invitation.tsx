import type { OrderWords } from "~/i18n/order-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Paywall } from "~/ui/paywall";
import type { Member } from "./member.server";

type InvitationProps = { uid: string; member: Member | null; offer: OrderWords | null };

/**
 * The paywall at the end of the free part. Login and registration lead back to this article
 * . `member`: null for visitors who are not signed in.
 */
export function Invitation({ uid, member, offer }: InvitationProps) {
  const t = useT("article");
  const returnTo = paths.article(uid);
  const registration = paths.registration({ returnTo });
  const login = paths.login(returnTo);
  const sale = offer?.trial && t("paywall.offer", { ...words(offer), trial: offer.trial });
  const title = t("paywall.title");
  if (!member) {
    return (
      <Paywall
        title={title}
        text={t("paywall.text")}
        actions={[
          { text: t("paywall.register"), href: registration },
          { text: t("paywall.login"), href: login },
        ]}
        offer={sale}
      />
    );
  }
  // The login page tells somebody who is signed in where the payment stands, and leads back once it is accepted.
  const payment = { text: t("member.payment"), href: login };
  if (member === "opening") {
    const access = { text: t("member.access"), href: login };
    return <Paywall title={title} text={t("member.opening")} actions={[access]} />;
  }
  if (member === "paying" || member === "unread") {
    return <Paywall title={title} text={t(`member.${member}`)} actions={[payment]} />;
  }
  const subscribe = { text: t("member.subscribe"), href: registration };
  return (
    <Paywall
      title={title}
      text={t("member.text")}
      actions={member === "tried" ? [subscribe, payment] : [subscribe]}
      offer={sale}
    />
  );
}

const words = ({ amount, period }: OrderWords) => ({ price: amount, period });
