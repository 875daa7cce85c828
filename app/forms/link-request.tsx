import type { ReactNode } from "react";
import { ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { EmailField } from "./email-field";
import { HoneypotField } from "./honeypot-field";
import type { FormReply } from "./refuse.server";
import { useReply } from "./use-reply";
import { PostForm, SendButton } from "./post-form";
import { SentTo } from "./sent-to";

type LinkRequestProps = {
  id: string;
  /** Path of the page, without the query of an earlier request. */
  action: string;
  email: string;
  reply: FormReply | undefined;
  label: string;
  submit: string;
  /** Information about the use of the address. */
  notice?: ReactNode;
};

/** Form that asks for a mailed link: to a new password, or to one's tickets. */
export function LinkRequest({ id, action, email, reply, label, submit, notice }: LinkRequestProps) {
  const { form, fields, control } = useReply<{ email: string }>(id, reply, { email });
  return (
    <PostForm form={form} action={action}>
      <EmailField {...control(fields.email)} label={label} />
      <HoneypotField />
      {notice}
      <SendButton look="primary" block>
        {submit}
      </SendButton>
    </PostForm>
  );
}

type LinkSentProps = {
  title: string;
  text: string;
  sentTo: string | null;
  retry: { text: string; href: string };
};

/** The confirmation. It never tells whether the e-mail address is known. */
export function LinkSent({ title, text, sentTo, retry }: LinkSentProps) {
  return (
    <>
      <Notice tone="success" title={title} live>
        <p>{text}</p>
        <SentTo email={sentTo} />
      </Notice>
      <p>
        <ButtonLink href={retry.href}>{retry.text}</ButtonLink>
      </p>
    </>
  );
}
