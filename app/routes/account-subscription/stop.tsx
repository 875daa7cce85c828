import { useState, type MouseEvent } from "react";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Checkbox } from "~/ui/checkbox";
import { Dialog } from "~/ui/dialog";

/** Target of the link without script: on a phone the form is further down the page. */
const DIALOG = "stop-dialog";

/** `until`: null when it could not be read. */
type StopProps = { until: string | null; asked: boolean; reply: FormReply | undefined };

/** The stop form. With script it is a dialog, without script a section of the page. */
export function Stop({ until, asked, reply }: StopProps) {
  const t = useT("subscription");
  const [open, setOpen] = useState(asked || reply !== undefined);
  const [known, setKnown] = useState({ asked, reply });
  // A refusal or a restored form opens the dialog. It is set while rendering, before anybody can
  // close it.
  if (known.asked !== asked || known.reply !== reply) {
    setKnown({ asked, reply });
    setOpen(asked || reply !== undefined);
  }
  const show = (event: MouseEvent) => {
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <p>
        <ButtonLink
          look="quiet"
          href={`${paths.accountSubscription()}?stop#${DIALOG}`}
          onClick={show}
        >
          {t("stop.open")}
        </ButtonLink>
      </p>
      <Dialog id={DIALOG} title={t("stop.title")} open={open} onClose={() => setOpen(false)}>
        <StopForm until={until} reply={reply} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

type StopFormProps = Omit<StopProps, "asked"> & { close: () => void };

function StopForm({ until, reply, close }: StopFormProps) {
  const { form, fields, control } = useReply<{ confirm: string }>("stop", reply);
  const t = useT("subscription");
  const { defaultValue, error, ...confirm } = control(fields.confirm);
  const keep = (event: MouseEvent) => {
    event.preventDefault();
    close();
  };
  return (
    <PostForm form={form} action={paths.accountSubscription()}>
      {until && <p>{t("stop.effect", { date: until })}</p>}
      <p>{t("stop.final")}</p>
      <Checkbox
        {...confirm}
        {...(error && { error })}
        value="on"
        defaultChecked={defaultValue === "on"}
        label={t("stop.confirm")}
        required
      />
      <div className="dialog__actions">
        <SendButton look="danger">{t("stop.submit")}</SendButton>
        <ButtonLink look="quiet" href={paths.accountSubscription()} onClick={keep}>
          {t("stop.keep")}
        </ButtonLink>
      </div>
    </PostForm>
  );
}
