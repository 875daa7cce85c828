import { NAME_LENGTH } from "~/contract/limits";
import { useEffect, useRef } from "react";
import type { ReadResult } from "~/api/read-result";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { RestoreButton } from "~/forms/restore-button";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { ServerPart } from "~/layout/server-part";
import { serverPaths } from "~/paths";
import { DefinitionList } from "~/ui/definition-list";
import { Panel } from "~/ui/panel";
import { TextInput } from "~/ui/text-input";
import { Unread } from "~/ui/unread";

type ProfileProps = {
  email: string;
  /** Null for a coach who subscribes to nothing: who answers persons is named by the site's owner. */
  name: ReadResult<string | null> | null;
  reply: FormReply | undefined;
};

export function ProfilePanel({ email, name, reply }: ProfileProps) {
  const t = useT("account");
  const storedName = name?.kind === "found" ? name.value : null;
  const isUnread = name?.kind === "failed";
  const { form, fields, control } = useReply<{ name: string }>("profile-form", reply, {
    name: storedName ?? "",
  });
  useLateName(fields.name.id, storedName, isUnread);
  return (
    <Panel title={t("profile")} id="profile">
      <DefinitionList
        items={[
          { term: t("email"), value: <span className="notranslate">{email}</span> },
          {
            term: t("coachingName"),
            value: storedName ?? (name && !isUnread ? t("noName") : null),
          },
        ]}
      />
      <ServerPart>{import.meta.env.SSR && <ChangeEmail />}</ServerPart>
      {isUnread && <Unread text={t("unread.profile")} retry={null} />}
      {name && (
        <PostForm form={form}>
          <TextInput
            {...control(fields.name)}
            label={t("name.label")}
            hint={t("name.hint")}
            autoComplete="nickname"
            data-check="personName"
            maxLength={NAME_LENGTH.max}
            required
          />
          <SendButton name="intent" value="name">
            {t("name.submit")}
          </SendButton>
          {isUnread && <RestoreButton>{t("name.again")}</RestoreButton>}
        </PostForm>
      )}
    </Panel>
  );
}

function ChangeEmail() {
  const t = useT("email");
  return (
    <p>
      <a className="lone" href={serverPaths.accountEmail()}>
        {t("change")}
      </a>
    </p>
  );
}

/**
 * Puts the stored name into the field of an open page once it is read: React writes no later default there.
 * What is typed stays, also when another form of the page has it read.
 */
function useLateName(id: string, name: string | null, isUnread: boolean) {
  const wasUnread = useRef(isUnread);
  useEffect(() => {
    const field = document.getElementById(id);
    const isLate = wasUnread.current && !isUnread;
    wasUnread.current = isUnread;
    if (!isLate || !name || !(field instanceof HTMLInputElement) || field.value) return;
    field.value = name;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, [id, name, isUnread]);
}
