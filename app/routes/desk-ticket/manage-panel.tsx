import { useEffect, useRef, useState, type ChangeEvent } from "react";
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
  const { form } = ticketForm;
  const assigneeSelect = useChoice("assignee", assignee, ticketForm);
  const statusSelect = useChoice("status", "", ticketForm);
  const chosen = assigneeSelect.value;
  const t = useT("desk");
  const messages = useOwnMessages(MANAGE_MESSAGES);
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
  const stored = options.find(({ uid }) => uid === assignee)?.name;
  // A choice that comes back, refused or by the browser, stands beside the version of a colleague's change: nothing else
  // on the page would show whom it takes the ticket from.
  const isOther = chosen !== assignee;
  const now = isOther ? t("thread.assignedNow", { name: stored ?? t("thread.nobody") }) : undefined;
  return (
    <Panel title={t("thread.manage")}>
      <div className="form">
        <Select {...assigneeSelect} label={t("thread.assignee")} hint={now}>
          <option value="">{t("thread.nobody")}</option>
          {options.map(({ uid, name }) => (
            <option key={uid} value={uid}>
              {name}
            </option>
          ))}
        </Select>
        {coaches.kind !== "found" && <p className="soft small">{t("thread.noCoaches")}</p>}
        <StatusSelect
          {...statusSelect}
          label={t("thread.statusLabel")}
          none={t("thread.sameStatus", { status: t(`status.${status}`) })}
        />
        <OwnMessages messages={messages} />
        <div>
          <SendButton form={form.id} name="intent" value="change" formNoValidate>
            {t("thread.save")}
          </SendButton>
        </div>
      </div>
    </Panel>
  );
}

/**
 * Props of a select of the panel. What a coach chose stays when the page's data is read again, until it is saved or
 * `stored` changes: the version that is sent with it comes with what is stored, so that saving would overwrite what
 * nobody has seen. A select that nobody touched follows `stored`.
 */
function useChoice(name: "assignee" | "status", stored: string, ticketForm: TicketForm) {
  const { form, fields, control, reply } = ticketForm;
  const { defaultValue: _, ...select } = control(fields[name]);
  const posted = reply?.saved ? null : reply?.lastResult?.initialValue;
  // Without script, what was posted is all that is known of the choice.
  const [own, setOwn] = useState(posted ? textOf(posted[name]) : undefined);
  const [seen, setSeen] = useState(stored);
  if (stored !== seen) {
    setSeen(stored);
    setOwn(undefined);
  }
  const [saved, setSaved] = useState(reply);
  if (reply?.saved && reply !== saved) {
    setSaved(reply);
    setOwn(undefined);
  }
  const value = own ?? stored;
  useChosenBefore(select.id, value, setOwn);
  return {
    ...select,
    form: form.id,
    value,
    onChange: ({ target }: ChangeEvent<HTMLSelectElement>) => setOwn(target.value),
  };
}

/** Somebody may have chosen before React took over the page. */
function useChosenBefore(id: string, drawn: string, onChosen: (value: string) => void) {
  const first = useRef(drawn);
  useEffect(() => {
    const element = document.getElementById(id);
    if (!(element instanceof HTMLSelectElement)) return;
    if (element.value !== first.current) onChosen(element.value);
  }, [id, onChosen]);
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
