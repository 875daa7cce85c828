import type { ReadResult } from "~/api/read-result";
import { Cluster } from "~/ui/cluster";
import type { SessionWords } from "./sessions.server";
import { FormErrors } from "~/forms/form-errors";
import { PostForm } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Tag } from "~/ui/chips";
import { Panel } from "~/ui/panel";
import { Unread } from "~/ui/unread";
import { VisuallyHidden } from "~/ui/visually-hidden";

type SessionsPanelProps = { sessions: ReadResult<SessionWords[]>; reply: FormReply | undefined };

/** The open sessions, each with a button that ends it. */
export function SessionsPanel({ sessions, reply }: SessionsPanelProps) {
  const { form } = useReply<Record<string, string>>("sessions-form", reply);
  const t = useT("account");
  return (
    <Panel title={t("sessions.title")} id="sessions">
      <FormErrors form={form} />
      {sessions.kind === "failed" && <Unread text={t("unread.sessions")} />}
      {sessions.kind === "found" && sessions.value.length > 0 && (
        <ul className="rows">
          {sessions.value.map((session) => (
            <li key={session.uid}>
              <SessionRow {...session} />
            </li>
          ))}
        </ul>
      )}
      <PostForm className="stack" unanswered="failures.everywhere.broken">
        <p className="soft small">{t("sessions.everywhereEffect")}</p>
        <Button name="intent" value="end-sessions">
          {t("sessions.everywhere")}
        </Button>
      </PostForm>
    </Panel>
  );
}

function SessionRow({ uid, device, since, seen, current }: SessionWords) {
  const t = useT("account");
  return (
    <>
      <span className="notranslate">{device}</span>
      <span className="soft small">{t("sessions.dates", { since, seen })}</span>
      {current ? (
        <Cluster>
          <Tag tone="success">{t("sessions.current")}</Tag>
          <ButtonLink small look="quiet" href={paths.logout()}>
            {t("sessions.logout")}
          </ButtonLink>
        </Cluster>
      ) : (
        <PostForm className="stack">
          <input type="hidden" name="session" value={uid} />
          <Button small name="intent" value="end-session">
            {t("sessions.end")} <VisuallyHidden>{device}</VisuallyHidden>
          </Button>
        </PostForm>
      )}
    </>
  );
}
