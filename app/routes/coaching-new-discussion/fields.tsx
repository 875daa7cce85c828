import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { ServerPart } from "~/layout/server-part";
import type { CoachingFacts } from "~/support/coaching-facts.server";
import { ConsentField } from "~/support/consent-field";
import { kinds } from "~/support/kinds";
import { WriteFields } from "~/support/write-fields";
import { DataNotice } from "~/ui/data-notice";
import { BirthField } from "./birth-field";
import { NameDialog } from "./name-dialog";

type Fields = Record<"name" | "subject" | "message" | "birth" | "consent", string>;
/** `unread`: the box may stay empty, because a consent may stand. The post reads it again. */
export type ConsentOnPage = "given" | "missing" | "unread";

type DiscussionFormProps = {
  asksName: boolean;
  facts: CoachingFacts;
  consent: ConsentOnPage;
  reply: FormReply | undefined;
  idempotencyKey: string;
};

export function DiscussionForm({
  asksName,
  facts,
  consent,
  reply,
  idempotencyKey,
}: DiscussionFormProps) {
  const { form, fields, control } = useReply<Fields>("discussion", reply);
  const t = useT("coaching");
  return (
    <PostForm form={form} unanswered="failures.discussion.broken" draft="coaching">
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      {asksName && (
        <NameDialog field={fields.name} control={control} failed={Boolean(form.allErrors[""])} />
      )}
      <WriteFields kind={kinds.coaching} fields={fields} control={control} />
      <ServerPart>
        {import.meta.env.SSR && (
          <BirthField field={fields.birth} control={control} isTaken={facts.takesBirth} />
        )}
      </ServerPart>
      {(consent !== "given" || fields.consent.errors) && (
        <ConsentField
          field={fields.consent}
          control={control}
          required={consent !== "unread" || fields.consent.errors !== undefined}
        />
      )}
      <ServerPart>
        {import.meta.env.SSR && (
          <DataNotice short={t("dataNotice.short")} full={t("dataNotice.full")} />
        )}
      </ServerPart>
      <div>
        <SendButton look="primary" name="intent" value="send">
          {t("new.submit")}
        </SendButton>
      </div>
    </PostForm>
  );
}
