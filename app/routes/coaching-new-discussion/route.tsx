import { randomUUID } from "node:crypto";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readForm } from "~/forms/read.server";
import type { FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { readMetadata } from "~/api/profile.server";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { PageHeading } from "~/ui/page-heading";
import { DiscussionForm } from "./fields";
import { NameDialog } from "./name-dialog";
import { submitDiscussion, submitName } from "./submit.server";

type Reply = FormReply & { form?: "name" };

export const meta = pageMeta;

export const handle = page({
  secured: true,
  roles: ["vip"],
  support: "coaching",
  hydrate: true,
  i18n: ["coaching", "support"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const metadata = await readMetadata(visit, visit.session.claims()?.uid ?? "");
  return {
    page: visit.page({ title: visit.t("coaching", "new.title") }),
    named: Boolean(metadata.profile?.name),
    idempotencyKey: randomUUID(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readForm(args.request);
  const isName = form.has("name") && !form.has("message");
  return isName ? submitName(visit, form) : submitDiscussion(visit, form);
}

export default function NewDiscussionPage() {
  const { named, idempotencyKey } = useLoaderData<typeof loader>();
  const reply = useActionData<Reply>();
  const t = useT("coaching");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("new.title")} lead={t("new.lead")} />
      {!named && <NameDialog reply={reply?.form === "name" ? reply : undefined} />}
      <DiscussionForm
        reply={reply?.form === "name" ? undefined : reply}
        idempotencyKey={idempotencyKey}
      />
    </div>
  );
}
