import type { ReadResult } from "~/api/read-result";
import type { TicketStatus } from "~/contract/ticket-status";
import { SendButton } from "~/forms/post-form";
import { OwnMessages, useOwnMessages } from "~/layout/flash";
import { useT } from "~/i18n/use-t";
import { Panel } from "~/ui/panel";
import { Select } from "~/ui/select";
import { StatusSelect } from "./status-select";
import type { TicketForm } from "./use-ticket-form";

/** On a phone the panel stands a whole thread below the top, and the answer opens no new page. */
export const MANAGE_MESSAGES = ["deskSavedOnly"] as const;

type ManagePanelProps = {
  status: TicketStatus;
  assignee: string;
  coaches: ReadResult<{ uid: string; name: string }[]>;
  ticketForm: TicketForm;
};

/** Assigns the ticket and sets its status. Its fields belong to the form of the answer. */
export function ManagePanel({ status, assignee, coaches, ticketForm }: ManagePanelProps) {
  const { form, fields, control, reply } = ticketForm;
  // A refusal may put the panel into the page anew, with the version that a colleague has made.
  const posted = reply?.saved ? null : reply?.lastResult?.initialValue;
  const chosen = posted ? textOf(posted.assignee) : assignee;
  const t = useT("desk");
  const told = useOwnMessages(MANAGE_MESSAGES);
  // Without the list of coaches, those that are assigned or chosen keep their place: saving the status
  // would otherwise take the ticket from them.
  const options =
    coaches.kind === "found"
      ? coaches.value
      : [
          ...(assignee ? [{ uid: assignee, name: t("thread.sameCoach") }] : []),
          ...(chosen && chosen !== assignee
            ? [{ uid: chosen, name: t("thread.chosenCoach") }]
            : []),
        ];
  return (
    <Panel title={t("thread.manage")}>
      <div className="form">
        <Select
          {...control(fields.assignee)}
          form={form.id}
          defaultValue={chosen}
          label={t("thread.assignee")}
        >
          <option value="">{t("thread.nobody")}</option>
          {options.map(({ uid, name }) => (
            <option key={uid} value={uid}>
              {name}
            </option>
          ))}
        </Select>
        {coaches.kind !== "found" && <p className="soft small">{t("thread.noCoaches")}</p>}
        <StatusSelect
          {...control(fields.status)}
          form={form.id}
          label={t("thread.statusLabel")}
          none={t(`status.${status}`)}
        />
        <OwnMessages messages={told} />
        <div>
          <SendButton form={form.id} name="intent" value="change" formNoValidate>
            {t("thread.save")}
          </SendButton>
        </div>
      </div>
    </Panel>
  );
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
