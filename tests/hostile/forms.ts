import fc from "fast-check";
import { z } from "zod/v4";
import { linkSecret } from "~/contract/primitives";
import { linkRequest } from "~/contract/support";
import { nameForm } from "~/forms/name";
import { paths } from "~/paths";
import { endSessionsForm, passwordForm, sessionForm } from "~/routes/account/form";
import { deletionForm, erasureForm, takeBackForm } from "~/routes/account-data/form";
import { dropForm } from "~/routes/account-favorites/form";
import { emailForm } from "~/routes/email-change/form";
import { stopForm } from "~/routes/account-subscription/form";
import { firstDiscussionForm } from "~/routes/coaching-new-discussion/form";
import { linkForm } from "~/routes/contact-link/form";
import { cancellationForm, withdrawalForm } from "~/routes/contract-notice/form";
import { answerForm, changeForm } from "~/routes/desk-ticket/form";
import { carriedForm, loginForm } from "~/routes/login/form";
import {
  linkForm as bankLinkForm,
  signedInCardForm,
  newAccountCardForm,
} from "~/routes/registration-payment/form";
import { emptyForm, registrationForm, restartForm } from "~/routes/registration/form";
import { requestForm } from "~/routes/reset-password/form";
import { updateForm } from "~/routes/reset-password-update/form";
import { discussionForm, readMarkForm, replyForm, ticketForm } from "~/support/form";
import { changed, pairChangesOf, pairsOf } from "./pairs";
import { familiar, place } from "./familiar";
import { arbitraryOf } from "./from-schema";
import { encodePairs, type Pairs, type Sender, type SentRequest } from "./request";
import { hostileText } from "./values";

type FormRow = {
  /** Folder of the page in `app/routes`. The sandbox bank's page has none. */
  route: string;
  path: string;
  schema: z.ZodObject;
  /** Values of its buttons. */
  intents?: readonly string[];
  senders: readonly Sender[];
};

const nothing = z.object({});
/** The page to which an answer leads back. */
const back = z.object({ to: z.string() });
const anybody = ["nobody", "vip"] as const;
const member = ["vip", "vip", "nobody"] as const;
/** Senders for forms that may end the sender's session. */
const parting = ["leaver", "nobody"] as const;
const ownTicket = paths.contactTicket(place("ownTicket"), { t: place("supportToken") });

/** Every form of the site. A test compares the table with the pages. */
export const forms: readonly FormRow[] = [
  { route: "login", path: "/login", schema: loginForm, senders: anybody },
  { route: "login", path: "/login", schema: carriedForm, senders: anybody },
  { route: "login", path: "/login?carried=1", schema: discussionForm, senders: anybody },
  { route: "logout", path: "/logout", schema: nothing, senders: parting },
  {
    route: "cookies",
    path: "/cookies",
    schema: back,
    intents: ["accept", "refuse"],
    senders: anybody,
  },
  {
    route: "translation",
    path: "/translation",
    schema: back,
    intents: ["accept", "refuse"],
    senders: anybody,
  },
  { route: "registration", path: "/registration", schema: registrationForm, senders: ["nobody"] },
  {
    route: "registration",
    path: "/registration",
    schema: restartForm,
    intents: ["restart"],
    senders: parting,
  },
  {
    route: "registration",
    path: "/registration",
    schema: nothing,
    intents: ["correct"],
    senders: parting,
  },
  {
    route: "registration",
    path: "/registration/welcome",
    schema: emptyForm,
    intents: ["pay"],
    senders: anybody,
  },
  {
    route: "registration-payment",
    path: "/registration/payment",
    schema: signedInCardForm,
    intents: ["pay"],
    senders: member,
  },
  {
    route: "registration-payment",
    path: "/registration/payment",
    schema: newAccountCardForm,
    senders: ["nobody"],
  },
  {
    route: "registration-payment",
    path: "/registration/payment",
    schema: bankLinkForm,
    intents: ["link"],
    senders: anybody,
  },
  {
    route: "registration-result",
    path: "/registration/failure",
    schema: nothing,
    intents: ["retry"],
    senders: anybody,
  },
  { route: "reset-password", path: "/reset-password", schema: requestForm, senders: anybody },
  {
    route: "reset-password-update",
    path: "/reset-password/update?token=none",
    schema: updateForm,
    senders: anybody,
  },
  { route: "account", path: "/account", schema: nameForm, intents: ["name"], senders: member },
  {
    route: "account",
    path: "/account",
    schema: passwordForm,
    intents: ["password"],
    senders: member,
  },
  {
    route: "account",
    path: "/account",
    schema: sessionForm,
    intents: ["end-session"],
    senders: parting,
  },
  {
    route: "account",
    path: "/account",
    schema: endSessionsForm,
    intents: ["end-sessions"],
    senders: parting,
  },
  {
    route: "account-favorites",
    path: "/account/favorites",
    schema: dropForm,
    senders: member,
  },
  { route: "email-change", path: "/account/email", schema: emailForm, senders: member },
  {
    route: "email-change-confirm",
    path: "/account/email/confirm?token=none",
    schema: linkSecret,
    senders: member,
  },
  { route: "account-data", path: "/account/data", schema: deletionForm, senders: parting },
  {
    route: "account-data",
    path: "/account/data",
    schema: takeBackForm,
    intents: ["take-back"],
    senders: member,
  },
  {
    route: "account-data",
    path: "/account/data",
    schema: erasureForm,
    intents: ["erase"],
    senders: member,
  },
  {
    route: "account-subscription",
    path: "/account/subscription",
    schema: stopForm,
    senders: parting,
  },
  {
    route: "account-subscription-undo",
    path: "/account/subscription/undo",
    schema: linkSecret.omit({ token: true }),
    senders: member,
  },
  {
    route: "article",
    path: "/article/ascendant-porte-d-entree",
    schema: nothing,
    intents: ["keep", "drop"],
    senders: member,
  },
  {
    route: "contact-new-ticket",
    path: "/contact/new-ticket",
    schema: ticketForm,
    senders: anybody,
  },
  { route: "contact-link", path: "/contact/link", schema: linkForm, senders: anybody },
  {
    route: "contact-tickets",
    // The link of the other rows would be revoked.
    path: paths.contactTickets({ t: "a".repeat(43) }),
    schema: nothing,
    senders: anybody,
  },
  { route: "contact-ticket", path: ownTicket, schema: replyForm, senders: anybody },
  {
    route: "contact-ticket",
    path: ownTicket,
    schema: readMarkForm,
    intents: ["read"],
    senders: anybody,
  },
  {
    route: "coaching-new-discussion",
    path: "/coaching/new-discussion",
    schema: firstDiscussionForm,
    intents: ["send", "name"],
    senders: member,
  },
  {
    route: "coaching-discussion",
    path: `/coaching/${place("ownDiscussion")}`,
    schema: replyForm,
    senders: member,
  },
  {
    route: "desk-ticket",
    path: `/desk/${place("otherTicket")}`,
    schema: answerForm,
    senders: ["coach", "vip"],
  },
  {
    route: "desk-ticket",
    path: `/desk/${place("ownDiscussion")}`,
    schema: changeForm,
    senders: ["coach", "vip"],
  },
  {
    route: "contract-notice",
    path: "/cancel-contract",
    schema: cancellationForm,
    intents: ["notify", "edit"],
    senders: anybody,
  },
  {
    route: "contract-notice",
    path: "/withdrawal",
    schema: withdrawalForm,
    intents: ["confirm", "edit"],
    senders: anybody,
  },
  {
    route: "notice-link",
    path: "/cancel-contract/undo?token=none",
    schema: linkSecret,
    senders: anybody,
  },
  {
    route: "notice-link",
    path: "/withdrawal/confirm?token=none",
    schema: linkSecret,
    intents: ["undo"],
    senders: anybody,
  },
  {
    route: "registration-release",
    path: "/registration/release?token=none",
    schema: linkSecret,
    senders: anybody,
  },
  { route: "not-found", path: "/nothing-here", schema: linkRequest, senders: anybody },
  {
    route: "sandbox bank",
    path: `/api/sandbox/pay/${place("bank")}`,
    schema: signedInCardForm.pick({ cardNumber: true, cvv: true, cardholder: true, expiry: true }),
    intents: ["pay", "confirm", "cancel"],
    senders: ["nobody"] as const,
  },
];

/** A valid form with up to two faults put in. */
export const formRequest: fc.Arbitrary<SentRequest> = fc.oneof(...forms.map(ofForm));

function ofForm({ route, path, schema, intents, senders }: FormRow): fc.Arbitrary<SentRequest> {
  const intent = intents ? fc.constantFrom(...intents, undefined) : fc.constant(undefined);
  const filled = fc
    .tuple(
      arbitraryOf(schema, familiar).map((fields) => fields ?? {}),
      intent,
      pairChangesOf(hostileText),
    )
    .map(([fields, pressed, list]) => {
      const pressing = pressed === undefined ? {} : { intent: pressed };
      return changed(pairsOf({ ...fields, ...pressing }), list);
    });
  return fc
    .record({
      sender: fc.constantFrom(...senders),
      pairs: filled,
      multipart: fc.nat(9).map((n) => n === 0),
      // An answer without the page around it takes a fraction of the time.
      asData: fc.boolean(),
    })
    .map(({ sender, pairs, multipart, asData }) => ({
      kind: "request",
      target: `POST ${path.replace(/\?.*/, "")}`,
      sender,
      method: "POST",
      path: asData && route !== "sandbox bank" ? path.replace(/(?=\?|$)/, ".data") : path,
      headers: { "content-type": multipart ? MULTIPART : "application/x-www-form-urlencoded" },
      body: multipart ? multipartOf(pairs) : encodePairs(pairs),
      encoding: "utf8",
    }));
}

const BOUNDARY = "----a-boundary";
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** Names are not escaped, because the server must refuse what they break. The last field is a file. */
function multipartOf(pairs: Pairs) {
  const parts = pairs.map(([name, value], index) => {
    const file = index > 0 && index === pairs.length - 1;
    const more = file ? '; filename="a.txt"\r\nContent-Type: text/plain' : "";
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  });
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}
