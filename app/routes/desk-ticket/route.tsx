import { randomUUID } from "node:crypto";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { addressUid } from "~/api/address-uid.server";
import { readForm } from "~/forms/read.server";
import type { FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { splitTitle } from "~/contract/support";
import { DeskStatus } from "~/support/desk-status";
import { useDeskKeys } from "~/support/use-desk-keys";
import { useFresh } from "~/support/use-fresh";
import { ButtonLink } from "~/ui/button";
import { Tag } from "~/ui/chips";
import { Cluster } from "~/ui/cluster";
import { PageHeading } from "~/ui/page-heading";
import { Answer } from "./answer";
import { Conversation } from "./conversation";
import { Follow } from "./follow";
import { answerForm, changeForm } from "./form";
import { PersonPanel } from "./person-panel";
import { submitAnswer, submitChange } from "./submit.server";
import { messageWords, subscriptionWords } from "./words.server";

export const meta = pageMeta;

export const handle = page({ secured: true, roles: ["coach"], hydrate: true, i18n: ["desk"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const uid = addressUid(args);
  const cursor = visit.url.searchParams.get("cursor");
  const [{ payload, page: older }, coaches] = await Promise.all([
    visit.read("getDeskTicket", { params: { uid }, query: cursor ? { cursor } : {} }),
    visit.read("listCoaches", {}),
  ]);
  const { title, category } = splitTitle(payload.title);
  const { subscription, ...person } = payload.person;
  return {
    page: visit.page({ title }),
    ticket: { uid, title, category, type: payload.type, status: payload.status },
    version: payload.version,
    assignee: payload.assignee?.uid ?? "",
    person: { ...person, subscription: subscription && subscriptionWords(subscription) },
    messages: payload.messages.map(messageWords),
    older: older.hasNextPage ? older.endCursor : null,
    isNewest: !cursor,
    coaches: coaches.payload,
    idempotencyKey: randomUUID(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readForm(args.request, answerForm, changeForm);
  const uid = addressUid(args);
  return form.has("message") ? submitAnswer(visit, uid, form) : submitChange(visit, uid, form);
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function DeskTicketPage() {
  const { ticket, person, messages, older, isNewest, ...state } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & { form?: "answer" | "change" }>();
  const t = useT("desk");
  const replyTo = (form: "answer" | "change") => (reply?.form === form ? reply : undefined);
  useFresh(reply);
  useDeskKeys();
  return (
    <div className="container page stack stack--l">
      <p>
        <a href={paths.desk()} data-desk-back>
          {t("thread.back")}
        </a>
      </p>
      <PageHeading title={ticket.title} />
      <Cluster>
        <Tag>{t(`types.${ticket.type}`)}</Tag>
        {ticket.category && <Tag>{ticket.category}</Tag>}
        <DeskStatus status={ticket.status} />
      </Cluster>
      <div className="split">
        <div className="stack stack--l">
          <Conversation uid={ticket.uid} messages={messages} older={older} />
          {!isNewest && (
            <p>
              <ButtonLink href={paths.deskTicket(ticket.uid)}>{t("thread.newest")}</ButtonLink>
            </p>
          )}
          <Answer {...state} uid={ticket.uid} reply={replyTo("answer")} />
        </div>
        <div className="stack stack--l">
          <PersonPanel {...person} />
          <Follow {...state} uid={ticket.uid} status={ticket.status} reply={replyTo("change")} />
        </div>
      </div>
    </div>
  );
}
