import { afterAll, beforeAll, vi } from "vitest";
import type { EndpointName } from "~/contract/endpoints";
import { endpoints } from "~/contract/endpoints";
import { tokenOf } from "../app/people";
import { openPages, type Fields, type PageAnswer } from "../support/pages";
import { holdCallLimits } from "./call-limits";
import { LIES, openLyingApi, type Lie } from "./lying-api";
import { ACL, isMembersButton, lostFields, type Person } from "./posted-forms";

export type Check = (answer: PageAnswer, how: Lie, call: EndpointName) => string[];
/**
 * `read` opens the page of a form, `send` posts it. Both are the same for a page without a form. `path`: where
 * they go.
 */
type Requests = Record<"read" | "send", () => Promise<PageAnswer>> & { path: string };

/** The site with an API whose calls fail as told, and requests of each person to it. */
export async function openFailingCalls(env: Record<string, string> = {}) {
  const limits = holdCallLimits();
  const api = await openLyingApi(limits.endSoon);
  afterAll(() => api.close());
  const { visitor } = openPages({ API_URL: api.url, ...env });

  /** Reference data is cached for a minute, so the clock moves on before each request. */
  let now = Date.now();
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ["Date"], now });
  });
  afterAll(() => vi.useRealTimers());

  const cookies = new Map<Person, string>();

  async function cookieOf(person: Person): Promise<string> {
    const known = cookies.get(person);
    if (known !== undefined) return known;
    const reader = visitor();
    if (person !== "nobody") {
      api.tell();
      api.signIn(tokenOf("signed in", { acl: ACL[person] }));
      await reader.post("/login", { email: "ada@exemple.fr", password: "un mot de passe" });
    }
    cookies.set(person, reader.cookie());
    return reader.cookie();
  }

  async function requestAs(person: Person, path: string, fields?: Fields): Promise<PageAnswer> {
    const reader = visitor();
    const cookie = await cookieOf(person);
    vi.setSystemTime((now += 61_000));
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields ?? {})) body.append(name, String(value));
    return reader.send(path, {
      headers: { cookie },
      ...(fields && { method: "POST", body }),
    });
  }

  /**
   * Runs the request once without failures, then with each of its calls failing in each way: every time, and once,
   * at the first, the second and each further time that it is asked.
   */
  async function faultsOf({ read, send, path }: Requests, check: Check): Promise<string[]> {
    api.tell();
    const right = await read();
    // After a failed post the page's loaders run too.
    const usual = new Map(api.calls);
    api.tell();
    const healthy = await send();
    const sent = [...api.calls.keys()];
    const counts = new Map(api.calls);
    for (const [call, count] of api.calls) usual.set(call, (usual.get(call) ?? 0) + count);
    const faults: string[] = [];
    for (const call of sent) {
      for (const how of LIES) {
        const derives = call === "getOffer" && how === 404;
        api.tell({ call, how });
        const answer = await send();
        const found = [
          ...wrongIn(answer, right, how, path),
          ...repeatedIn(api.calls, derives ? withFormula(usual) : usual),
          ...ledOnBy(answer, path, how, call),
          ...(isElsewhere(answer, how) ? [] : check(answer, how, call)),
        ];
        faults.push(...found.map((fault) => `${call} ${how}: ${answer.status} ${fault}`));
      }
      for (let nth = 1; nth <= (counts.get(call) ?? 1); nth++) {
        for (const how of PASSING) {
          api.tell({ call, how, nth });
          const answer = await send();
          // The call was asked for again, and nobody noticed.
          if (looksLike(answer, healthy)) continue;
          const found = [
            ...wrongIn(answer, right, how, path),
            ...repeatedIn(api.calls, usual),
            ...ledOnBy(answer, path, how, call),
            ...check(answer, how, call),
          ];
          const words = (fault: string) =>
            `${call} ${how}, number ${nth}: ${answer.status} ${fault}`;
          faults.push(...found.map(words));
        }
      }
    }
    return faults;
  }

  return { api, cookieOf, requestAs, faultsOf };
}

/** Faults that pass: only one of several equal calls has them. */
const PASSING = [502, "reset", "cut"] as const satisfies readonly Lie[];

const looksLike = (one: PageAnswer, other: PageAnswer) =>
  one.status === other.status &&
  one.headers.get("location") === other.headers.get("location") &&
  one.dom.querySelector("main")?.text === other.dom.querySelector("main")?.text;

/** A failed write after which the form at a path leads on, and what stands there. */
type LeadingOn = { at: string; call: EndpointName; how: readonly Lie[]; to: string; why: string };

const NEW_LINK = { to: "/contact/link?worn=1", why: "the mailed link opens nothing any more" };

const LEADS_ON: readonly LeadingOn[] = [
  {
    at: "/registration",
    call: "createPaymentLink",
    how: [409],
    to: "/callback/payment",
    why: "the payment that is in the way",
  },
  {
    at: "/registration/payment",
    call: "pay",
    how: [409],
    to: "/callback/payment?cashback=0&success=0",
    why: "the payment that is in the way",
  },
  {
    at: "/registration/release",
    call: "releaseAddress",
    how: [401, 403, 404, 409],
    to: "/registration",
    why: "a message says why the address is not free",
  },
  {
    at: "/account/data",
    call: "deleteUser",
    how: [401],
    to: "/",
    why: "a message says that the account may be deleted already, so that nobody signs in to it in vain",
  },
  {
    at: "/account",
    call: "endSession",
    how: [404],
    to: "/account",
    why: "the session is over already",
  },
  {
    at: "/account/subscription/undo",
    call: "undoUnsignedNotices",
    how: LIES.filter((how) => !([401, 403, 409, 429] as Lie[]).includes(how)),
    to: "/account/subscription",
    why: "the contract shows that nothing is left to undo",
  },
  {
    at: "/article/",
    call: "setMetadata",
    how: [401],
    to: "/login?returnTo=%2Farticle%2Flune",
    why: "the button has nothing that is typed",
  },
  { at: "/contact/tickets", call: "revokeSupportToken", how: [401, 403], ...NEW_LINK },
  { at: "/contact/tickets/", call: "markTicketRead", how: [401, 403], ...NEW_LINK },
];

/** Texts that say that there is nothing. */
const NOTHING = /\baucune?s?\b|n’avez pas|pas d’abonnement|introuvable|n’a jamais existé|rien à/gi;

/** Pages that say rightly that no account is open, to somebody whose session was ended elsewhere. */
const OF_SIGNED_OUT = ["/logout"];

function wrongIn(answer: PageAnswer, right: PageAnswer, how: Lie, path: string): string[] {
  const { status, dom, html, headers } = answer;
  if (status >= 300 && status < 400) return [];
  const said = dom.querySelector("main")?.text ?? "";
  const usual: string[] = right.dom.querySelector("main")?.text.match(NOTHING) ?? [];
  const isNothing = how === 404 || (how === 401 && OF_SIGNED_OUT.includes(path));
  const nothing = isNothing ? [] : (said.match(NOTHING) ?? []);
  const isFile = status === 200 && headers.get("content-type")?.includes("json");
  return [
    ...(dom.querySelector("main h1") || isFile ? [] : ["is no page of ours"]),
    ...(html.includes("Unexpected Server Error") ? ["is the framework's"] : []),
    ...nothing.filter((words) => !usual.includes(words)).map((words) => `says ${words}`),
  ];
}

/** An API without offers is asked for the formula, and for a contract with a trial, instead. */
function withFormula(usual: ReadonlyMap<EndpointName, number>) {
  const asked = new Map(usual);
  for (const call of ["getFormula", "getSubscription"] as const) {
    asked.set(call, (usual.get(call) ?? 0) + (usual.get("getOffer") ?? 1));
  }
  return asked;
}

/**
 * A redirect after a failed write: whoever follows it does not see that the write failed. To sign in it takes
 * the form along.
 */
function ledOnBy(
  { status, headers }: PageAnswer,
  path: string,
  how: Lie,
  call: EndpointName,
): string[] {
  const { method, path: line } = endpoints[call];
  const isWrite = method !== "GET" && !/\/(preview|check)$/.test(line);
  if (!isWrite || status < 300 || status >= 400) return [];
  const to = headers.get("location") ?? "";
  if (status === 307 && /^\/login\?.*\bcarried=1/.test(to)) return [];
  const isAllowed = LEADS_ON.some(
    (one) => one.call === call && path.startsWith(one.at) && one.how.includes(how) && to === one.to,
  );
  return isAllowed ? [] : [`leads on to ${to}`];
}

/** A page's read is sent twice at most, a write once. */
function repeatedIn(
  calls: ReadonlyMap<EndpointName, number>,
  usual: ReadonlyMap<EndpointName, number>,
): string[] {
  return [...calls].flatMap(([call, count]) => {
    const most = (endpoints[call].method === "GET" ? 2 : 1) * (usual.get(call) ?? 1);
    return count > most ? [`sent ${call} ${count} times`] : [];
  });
}

/** Failures that redirect: to sign in, or to the page that says what is missing. */
const isElsewhere = ({ status }: PageAnswer, how: Lie) =>
  status >= 300 && status < 400 && [401, 403, 404, 409].includes(how as number);
/** What was typed and does not stand in the page. */
export function lostFrom({ status, dom }: PageAnswer, fields: Fields, how: Lie): string[] {
  if (status === 404 && how === 404) return [];
  // The failed call was no part of sending the form.
  if (status === 303) return [];
  if (isMembersButton(dom)) return [];
  const isAsked = (name: string) => !(hasOpenedAccount(dom, fields) && OF_ACCOUNT.includes(name));
  const lost = lostFields(dom, fields)
    .filter(isAsked)
    .map((name) => `lost ${name}`);
  const keys = dom.querySelectorAll("main [name=idempotencyKey]");
  const isKept = keys.some((input) => input.getAttribute("value") === fields.idempotencyKey);
  const isSettled = how === 409;
  // What can be sent nowhere any more comes back to be copied.
  const isOver = dom.querySelector("main textarea[readonly]") !== null;
  return [
    ...lost,
    ...(fields.idempotencyKey && !isKept && !isSettled && !isOver ? ["lost the key"] : []),
    ...(status === 400 && isBroken(how) ? ["is told as a fault of the form"] : []),
  ];
}

/** Fields that an account no longer needs once it is there. */
const OF_ACCOUNT = ["email", "terms"];

/** The post opened the account before its last call failed: the page names it and goes on with it. */
const hasOpenedAccount = (dom: PageAnswer["dom"], { email }: Fields) =>
  typeof email === "string" &&
  !dom.querySelector("main [name=email]") &&
  (dom.querySelector("main")?.text.includes(email) ?? false);

export const isBroken = (how: Lie) => typeof how === "string" || how >= 500 || how === 408;
