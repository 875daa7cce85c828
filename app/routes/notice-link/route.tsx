import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { isOfferRefusal } from "~/api/offer.server";
import { linkSecret, undoRequest, type Undoing, type UndoPreview } from "~/contract/subscriptions";
import { OwnerField } from "~/forms/owner";
import { isForeign, parseForm, readOwnForm } from "~/forms/read.server";
import { isRetryable, refuseButton, refuseForeign } from "~/forms/refuse.server";
import { translate } from "~/i18n/i18n.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import type { FlashMessage } from "~/session/data";
import { openVisit, type Visit } from "~/session/visit.server";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { formatAmount, formatDate } from "~/ui/format";
import { PageHeading } from "~/ui/page-heading";

export const meta = pageMeta;

export const handle = declarePage({ breadcrumb: false, personal: true });

/**
 * Mailed links: opening one changes nothing, so that scanners do no harm. What undoing would
 * charge stands on the page, and goes along with the button.
 */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const name = linkNameOf(visit);
  const token = visit.url.searchParams.get("token") ?? "";
  const preview = await previewOf(visit, token);
  return {
    page: visit.describePage({ title: visit.t("links", `${name}.title`) }),
    name,
    token,
    effect: effectOf(preview),
    offer: preview?.offer?.statement ?? null,
    price: preview?.offer ? formatAmount(preview.offer.amountNow) : null,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, linkForm);
  if (isForeign(form)) return refuseForeign(visit);
  const { call, key } = choiceOf(visit, form.get("intent"));
  const submission = parseForm(form, linkForm);
  if (submission.status !== "success")
    return redirectHome(visit, { type: "error", key: `${key}Failed` });
  const { token, offer } = submission.value;
  const body = call === "confirmWithdrawal" ? { token } : { token, ...(offer && { offer }) };
  const outcome = await visit.attempt(call, { body });
  if (outcome.ok) return redirectHome(visit, flashOf(key, outcome.value.payload.status, offer));
  if (isOfferRefusal(outcome.error)) return refuseButton(visit, outcome.error, "offerChanged");
  return isRetryable(outcome.error)
    ? refuseButton(visit, outcome.error, `${key}Failed`)
    : redirectHome(visit, { type: "error", key: `${key}Failed` });
}

export default function NoticeLinkPage() {
  const { name, token, effect, offer, price } = useLoaderData<typeof loader>();
  const t = useT("links");
  const undo = price ? t(`${name}.pay`, { amount: price }) : null;
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t(`${name}.heading`)} lead={t(`${name}.text`)} />
      <p>{effect}</p>
      <Form method="post">
        <OwnerField />
        <Cluster>
          <input type="hidden" name="token" value={token} />
          {offer && <input type="hidden" name="offer" value={offer} />}
          <Button look="primary">{(name === "undo" && undo) || t(`${name}.submit`)}</Button>
          {name === "withdrawal" && (
            <Button name="intent" value="undo">
              {undo ?? t("withdrawal.undo")}
            </Button>
          )}
          <ButtonLink look="quiet" href={paths.home()}>
            {t("leave")}
          </ButtonLink>
        </Cluster>
      </Form>
    </div>
  );
}

/** A statement that is none was not shown by this page. */
const linkForm = undoRequest.extend({ offer: undoRequest.shape.offer.catch(undefined) });

/** Null where it cannot be read, as by an API without the call, or of a link that is worn out. */
async function previewOf(visit: Visit, token: string): Promise<UndoPreview | null> {
  const body = linkSecret.safeParse({ token });
  if (!body.success) return null;
  const call = linkNameOf(visit) === "undo" ? "previewUndoCancellation" : "previewUndoWithdrawal";
  const outcome = await visit.attempt(call, { body: body.data });
  return outcome.ok ? outcome.value.payload : null;
}

function effectOf(preview: UndoPreview | null): string {
  if (!preview) return translate("links", "effect.unread");
  const { status, offer, nextDebit, payUntilDateTime } = preview;
  if (status !== "undone") return translate("links", `effect.${status}`);
  if (offer) return translate("links", "effect.now", debitWords(offer.nextDebit));
  if (nextDebit) return translate("links", "effect.later", debitWords(nextDebit));
  return payUntilDateTime === undefined
    ? translate("links", "effect.unread")
    : translate("links", "effect.byHand", { date: formatDate(payUntilDateTime) });
}

const debitWords = ({ amount, date }: { amount: number; date: string }) => ({
  amount: formatAmount(amount),
  date: formatDate(date),
});

function redirectHome(visit: Visit, message: FlashMessage) {
  visit.session.flash(message);
  return visit.redirect(paths.home(), { status: 303 });
}

/** The two links differ in their texts and calls. */
const linkNameOf = ({ url }: Visit): "withdrawal" | "undo" =>
  url.pathname.startsWith(paths.withdrawal()) ? "withdrawal" : "undo";

/**
 * The call for the pressed button. A withdrawal can be confirmed or undone, a cancellation only
 * undone.
 */
function choiceOf(visit: Visit, intent: unknown) {
  if (linkNameOf(visit) === "undo") return { call: "undoCancellation", key: "undo" } as const;
  return intent === "undo"
    ? ({ call: "undoWithdrawal", key: "withdrawalUndo" } as const)
    : ({ call: "confirmWithdrawal", key: "withdrawal" } as const);
}

function flashOf(
  key: ReturnType<typeof choiceOf>["key"],
  status: "confirmed" | Undoing["status"],
  charged: string | undefined,
): FlashMessage {
  if (key === "withdrawal") return { type: "success", key: "withdrawalDone" };
  if (status === "ended") return { type: "warning", key: `${key}Ended` };
  if (status === "stopped") return { type: "warning", key: `${key}Stopped` };
  return { type: "success", key: charged ? `${key}Charged` : `${key}Done` };
}
