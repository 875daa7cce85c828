import { Hono } from "hono";
import { readExpiry } from "../../../../app/contract/card";
import { CLIENT_ADDRESS } from "../../../../app/contract/client-headers";
import { isDatabaseUnavailable } from "../../database/unavailable";
import { clientAddressIn } from "../../http/client-address";
import { Refusal } from "../../http/refusal";
import { countCardAttempt, suspendCardAttempt } from "../../limits/declines";
import { hashSecret } from "../../ports/ids";
import { returnUrlOf } from "./address";
import { closePage, confirm, expireIfDue, pay } from "./bank";
import { decisionOf } from "./decision";
import { cardFormOf, faultsOf, readForm } from "./form";
import { respond, redirectTo } from "./respond";
import { findPageByHash, type Page } from "./store";
import { challengeView } from "./views/challenge";
import { formView } from "./views/form";
import { messageView } from "./views/message";
import type { BankContext } from "./context";

/** The same wait as that of other calls when the database is unavailable (`http/answer.ts`). */
const RETRY_SECONDS = "5";

const METHODS = "GET, HEAD, POST";

/** The posted form and the visitor's address. */
type Sent = { form: URLSearchParams; from: string | null };

/** Serves the hosted payment page under `/api/sandbox`: HTML documents without scripts. */
export function paymentPages(context: BankContext): Hono {
  const app = new Hono();
  app.get("/pay/:secret", async ({ req }) => showPage(await open(context, req.param("secret"))));
  app.post("/pay/:secret", async ({ req }) => {
    const page = await open(context, req.param("secret"));
    const sent = {
      form: await readForm(req.raw),
      from: clientAddressIn(req.header(CLIENT_ADDRESS)),
    };
    return redirectAfterPost(await handlePost(context, page, sent), req.path);
  });
  app.all("/pay/:secret", () => respond(405, messageView(405), { headers: { allow: METHODS } }));
  app.all("*", () => respond(404, messageView(404)));
  app.onError((error) => {
    if (error instanceof Refusal) {
      const { status, headers } = error;
      const seconds = Number(headers["retry-after"] ?? 0);
      return respond(status, messageView(status, seconds), { headers });
    }
    if (isDatabaseUnavailable(error)) {
      context.log.error({ reason: error.message }, "the database does not answer");
      return respond(503, messageView(503), { headers: { "retry-after": RETRY_SECONDS } });
    }
    context.log.error({ err: error }, "payment page failed");
    return respond(500, messageView(500));
  });
  return app;
}

/** @throws Refusal 404 when the secret belongs to no page */
async function open(context: BankContext, secret: string): Promise<Page> {
  const page = await findPageByHash(context.db, hashSecret(secret));
  if (!page) throw new Refusal(404, "Unknown payment page");
  return expireIfDue(context, page);
}

/** Shows the page in its current state; a finished page redirects to the site. */
function showPage(page: Page) {
  if (page.status === "open") return respond(200, formView(page), { page });
  if (page.status === "challenge") return respond(200, challengeView(page), { page });
  return redirectTo(returnUrlOf(page));
}

/** Runs the action of the pressed button, if the state of the page still allows it. */
async function handlePost(context: BankContext, page: Page, sent: Sent): Promise<Page | Response> {
  switch (sent.form.get("intent")) {
    case "pay":
      return page.status === "open" ? useCard(context, page, sent) : page;
    case "confirm":
      if (page.status !== "challenge") return page;
      return notifyMerchant(
        context,
        await payWithinLimits(context, page, sent, () => confirm(context, page.uid)),
      );
    case "cancel":
      return notifyMerchant(context, await closePage(context, page.uid));
    default:
      throw new Refusal(400, "Unknown intent");
  }
}

async function useCard(context: BankContext, page: Page, sent: Sent): Promise<Page | Response> {
  const card = cardFormOf(sent.form);
  const faults = faultsOf(card, context.clock.now());
  if (Object.keys(faults).length > 0) {
    const { expiry, cardholder } = card;
    return respond(400, formView(page, { faults, kept: { expiry, cardholder } }), { page });
  }
  const expiry = readExpiry(card.expiry);
  if (!expiry) throw new Error("A card without faults has an expiry");
  const attempt = () => pay(context, page.uid, { number: card.cardNumber, expiry });
  return notifyMerchant(context, await payWithinLimits(context, page, sent, attempt));
}

/**
 * Pays within the limits of refused cards per address and account, which this page and the site's
 * own form share. Merchant and bank use the same uid for the attempt, so it counts once.
 * @throws Refusal 429
 */
async function payWithinLimits(
  { db, clock }: BankContext,
  { payment_uid }: Page,
  { from }: Sent,
  attempt: () => Promise<Page>,
): Promise<Page> {
  await countCardAttempt(db, clock, { paymentUid: payment_uid, from });
  const page = await attempt();
  if (page.status !== "declined") await suspendCardAttempt(db, payment_uid);
  return page;
}

/** Redirects after a post, so that a reload does not post again. */
function redirectAfterPost(result: Page | Response, here: string): Response {
  if (result instanceof Response) return result;
  return redirectTo(decisionOf(result) ? returnUrlOf(result) : here);
}

/**
 * Notifies the merchant before the browser returns. When that fails the payment is still valid: the
 * person continues, and the merchant reads the status later.
 */
async function notifyMerchant(context: BankContext, page: Page): Promise<Page> {
  const decision = decisionOf(page);
  try {
    if (decision) await context.notify(page.payment_uid, decision);
  } catch (error) {
    context.log.error({ err: error, payment: page.payment_uid }, "notification failed");
  }
  return page;
}
