import { useState, type MouseEvent } from "react";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import type { LossWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Checkbox } from "~/ui/checkbox";
import { Dialog } from "~/ui/dialog";
import { Instead } from "~/ui/instead";
import { Loss } from "~/ui/loss";
import { WithdrawalRight } from "./withdrawal-right";

/** Target of the link without script: on a phone the form is further down the page. */
const DIALOG = "stop-dialog";

type StopProps = {
  /** What the stop leaves. Null when it could not be read. */
  effect: string | null;
  /** What may be done instead, with its page: end a period that was renewed without its notice. */
  instead: string | null;
  /** Last day, formatted, on which the person may withdraw and get everything back. */
  withdrawableUntil: string | null;
  /** What the stop changes of the credit. */
  credit: LossWords;
  asked: boolean;
  reply: FormReply | undefined;
};

/** The stop form. With script it is a dialog, without script a section of the page. */
export function Stop({ asked, reply, ...shown }: StopProps) {
  const t = useT("subscription");
  const [open, setOpen] = useState(asked || reply !== undefined);
  const [known, setKnown] = useState({ asked, reply });
  // A refusal or a restored form opens the dialog. It is set while rendering, before anybody can
  // close it. The address follows the answer of a post later, and must not open it again.
  if (known.asked !== asked || known.reply !== reply) {
    const isNew = (asked && !known.asked) || (reply !== undefined && reply !== known.reply);
    setKnown({ asked, reply });
    setOpen(isNew || (open && (asked || reply !== undefined)));
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
      <Dialog
        id={DIALOG}
        title={t("stop.title")}
        open={open}
        onOpen={() => setOpen(true)}
        onClose={() => setOpen(false)}
      >
        <StopForm {...shown} reply={reply} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

type StopFormProps = Omit<StopProps, "asked"> & { close: () => void };

function StopForm(props: StopFormProps) {
  const { effect, instead, withdrawableUntil, credit, reply, close } = props;
  const { form, fields, control } = useReply<{ confirm: string }>("stop", reply);
  const t = useT("subscription");
  const { defaultValue, error, ...confirm } = control(fields.confirm);
  const keep = (event: MouseEvent) => {
    event.preventDefault();
    close();
  };
  return (
    <PostForm form={form} action={paths.accountSubscription()}>
      {effect && <p>{effect}</p>}
      <p>{t("stop.final")}</p>
      <Instead text={instead} />
      <Loss words={credit} />
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
      {/* Below the buttons: an opened dialog focuses its first control, which is the box. */}
      <WithdrawalRight until={withdrawableUntil} />
    </PostForm>
  );
}
