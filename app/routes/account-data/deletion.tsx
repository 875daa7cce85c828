import type { ReadResult } from "~/api/read-result";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Checkbox } from "~/ui/checkbox";
import { Panel } from "~/ui/panel";
import { Unread } from "~/ui/unread";

type DeletionProps = {
  accessEnd: ReadResult<string | null>;
  reply: (FormReply & { lost?: boolean }) | undefined;
};

/** The form that deletes the account. It first lists what is deleted, what stays and why. */
export function Deletion({ accessEnd: read, reply }: DeletionProps) {
  const accessEnd = read.kind === "found" ? read.value : null;
  const { form, fields, control } = useReply<{ confirm: string }>("deletion", reply);
  const t = useT("data");
  const { defaultValue, error, ...confirm } = control(fields.confirm);
  return (
    <Panel title={t("deletion.title")} id="deletion-panel">
      {read.kind === "failed" && <Unread text={t("deletion.unread")} />}
      <div className="prose">
        <ul>
          <li>{t("deletion.profile")}</li>
          <li>{t("deletion.billing")}</li>
          {accessEnd && <li>{t("deletion.paid", { date: accessEnd })}</li>}
          <li>{t("deletion.kept")}</li>
          <li>{t("deletion.final")}</li>
        </ul>
      </div>
      {accessEnd && (
        <p>
          {t("deletion.instead")} <a href={paths.accountSubscription()}>{t("deletion.stop")}</a>
        </p>
      )}
      <PostForm form={form}>
        {reply?.lost && <input type="hidden" name="lost" value="1" />}
        <Checkbox
          {...confirm}
          {...(error && { error })}
          value="on"
          defaultChecked={defaultValue === "on"}
          label={t("deletion.confirm")}
          required
        />
        <div>
          <SendButton look="danger">{t("deletion.submit")}</SendButton>
        </div>
      </PostForm>
    </Panel>
  );
}
