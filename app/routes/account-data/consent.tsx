import type { ConsentState } from "~/api/consent.server";
import type { ReadResult } from "~/api/read-result";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { Checkbox } from "~/ui/checkbox";
import { Notice } from "~/ui/notice";
import { Panel } from "~/ui/panel";
import { Unread } from "~/ui/unread";

type ConsentProps = { consent: ReadResult<ConsentState>; reply: FormReply | undefined };

/**
 * The consent to the handling of sensitive information, and the discussions that were held on it.
 * A person without either sees nothing. A refused form stays, whatever could be read since.
 */
export function Consent({ consent, reply }: ConsentProps) {
  const t = useT("data");
  const { givenAt, discussions } =
    consent.kind === "found" ? consent.value : { givenAt: null, discussions: null };
  if (givenAt !== null || (reply && consent.kind !== "found")) {
    return (
      <Panel title={t("consent.title")} id="consent-panel">
        {consent.kind === "failed" && <Unread text={t("consent.unread")} />}
        <p>{givenAt ? t("consent.text", { date: givenAt }) : t("consent.again")}</p>
        <ConsentForm reply={reply} />
      </Panel>
    );
  }
  if (consent.kind === "failed") {
    return (
      <Panel title={t("consent.title")} id="consent-panel">
        <Unread text={t("consent.unread")} />
      </Panel>
    );
  }
  if (discussions) {
    return (
      <Panel title={t("consent.left.title")} id="discussions-panel">
        <p>{t("consent.left.text")}</p>
        <ErasureForm reply={reply} />
      </Panel>
    );
  }
  if (!reply) return null;
  return (
    <Panel title={t("consent.title")} id="consent-panel">
      <Notice tone="success">{t("consent.done")}</Notice>
    </Panel>
  );
}

/** Takes the consent back: the discussions are closed, or erased too. */
function ConsentForm({ reply }: { reply: FormReply | undefined }) {
  const { form, fields, control } = useReply<{ erase: string }>("consent", reply);
  const t = useT("data");
  const { defaultValue, error: _, ...erase } = control(fields.erase);
  return (
    <PostForm form={form}>
      <Checkbox
        {...erase}
        value="on"
        defaultChecked={defaultValue === "on"}
        label={t("consent.erase")}
      />
      <div>
        <SendButton name="intent" value="take-back">
          {t("consent.submit")}
        </SendButton>
      </div>
    </PostForm>
  );
}

/** Erases discussions that were kept when the consent was taken back, or never needed one. */
function ErasureForm({ reply }: { reply: FormReply | undefined }) {
  const { form, fields, control } = useReply<{ erase: string }>("erasure", reply);
  const t = useT("data");
  const { defaultValue, error, ...erase } = control(fields.erase);
  return (
    <PostForm form={form}>
      <Checkbox
        {...erase}
        {...(error && { error })}
        value="on"
        defaultChecked={defaultValue === "on"}
        label={t("consent.left.erase")}
        required
      />
      <div>
        <SendButton name="intent" value="erase">
          {t("consent.left.submit")}
        </SendButton>
      </div>
    </PostForm>
  );
}
