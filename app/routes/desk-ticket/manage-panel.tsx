import type { ReadResult } from "~/api/read-result";
import type { TicketStatus } from "~/contract/ticket-status";
import { SendButton } from "~/forms/post-form";
import { useT } from "~/i18n/use-t";
import { Panel } from "~/ui/panel";
import { Select } from "~/ui/select";
import { StatusSelect } from "./status-select";
import type { TicketForm } from "./use-ticket-form";

type ManagePanelProps = {
  status: TicketStatus;
  assignee: string;
  coaches: ReadResult<{ uid: string; name: string }[]>;
  ticketForm: TicketForm;
};

/** Assigns the ticket and sets its status. Its fields belong to the form of the answer. */
export function ManagePanel({ status, assignee, coaches, ticketForm }: ManagePanelProps) {
  const { form, fields, control, reply } = ticketForm;
  const isTyped = reply !== undefined && !reply.saved;
  const t = useT("desk");
  return (
    <Panel title={t("thread.manage")}>
      <div className="form">
        <Select
          {...control(fields.assignee)}
          form={form.id}
          defaultValue={isTyped ? control(fields.assignee).defaultValue : assignee}
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
          form={form.id}
          label={t("thread.statusLabel")}
          none={t(`status.${status}`)}
        />
        <div>
          <SendButton form={form.id} name="intent" value="change" formNoValidate>
            {t("thread.save")}
          </SendButton>
        </div>
      </div>
    </Panel>
  );
}
