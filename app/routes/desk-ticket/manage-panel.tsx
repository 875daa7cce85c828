import type { ReadResult } from "~/api/read-result";
import type { TicketStatus } from "~/contract/ticket-status";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { Panel } from "~/ui/panel";
import { Select } from "~/ui/select";
import { StatusSelect } from "./status-select";

type ManagePanelProps = {
  uid: string;
  version: number;
  status: TicketStatus;
  assignee: string;
  coaches: ReadResult<{ uid: string; name: string }[]>;
  reply: FormReply | undefined;
};

/**
 * Assigns the ticket and sets its status. The version keeps it from overwriting a colleague's
 * change.
 */
export function ManagePanel({ uid, version, status, assignee, coaches, reply }: ManagePanelProps) {
  const { form, fields, control } = useReply<Record<"assignee" | "status", string>>(
    "follow",
    reply,
    { assignee },
  );
  const t = useT("desk");
  return (
    <Panel title={t("thread.manage")}>
      <PostForm form={form} key={`${uid} ${version}`}>
        <input type="hidden" name="version" value={version} />
        <Select
          {...control(fields.assignee)}
          defaultValue={reply ? control(fields.assignee).defaultValue : assignee}
          label={t("thread.assignee")}
        >
          <option value="">{t("thread.nobody")}</option>
          {coaches.kind === "found"
            ? coaches.value.map((coach) => (
                <option key={coach.uid} value={coach.uid}>
                  {coach.name}
                </option>
              ))
            : // Without the list of coaches the present assignment is kept.
              assignee && <option value={assignee}>{t("thread.sameCoach")}</option>}
        </Select>
        {coaches.kind !== "found" && <p className="soft small">{t("thread.noCoaches")}</p>}
        <StatusSelect
          {...control(fields.status)}
          label={t("thread.statusLabel")}
          none={t(`status.${status}`)}
        />
        <div>
          <SendButton>{t("thread.save")}</SendButton>
        </div>
      </PostForm>
    </Panel>
  );
}
