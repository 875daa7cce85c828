import { SentTo } from "~/forms/sent-to";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { Notice } from "~/ui/notice";

/**
 * Confirms the new ticket. Its link is sent by mail only, because the typed address may be another
 * person's.
 */
export function Sent({ secret, sentTo }: { secret: string | null; sentTo: string | null }) {
  const t = useT("contact");
  const query = secret ? { t: secret } : {};
  return (
    <>
      <Notice tone="success" title={t("new.sent.title")} live>
        <p>{t("new.sent.text")}</p>
        <SentTo email={sentTo} />
      </Notice>
      <Cluster>
        {secret && (
          <ButtonLink look="primary" href={paths.contactTickets(query)}>
            {t("list.title")}
          </ButtonLink>
        )}
        <ButtonLink href={paths.contactNewTicket(query)}>{t("new.sent.again")}</ButtonLink>
        <ButtonLink look="quiet" href={paths.home()}>
          {t("new.sent.home")}
        </ButtonLink>
      </Cluster>
    </>
  );
}
