import { SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { email, uid } from "~/contract/primitives";
import { readSession, writeSession } from "~/session/cookie.server";
import flash from "~/locales/fr/flash.json";
import { flashMessage, type SessionData } from "~/session/data";
import { safeReturnPath } from "~/session/return-path.server";
import { Session } from "~/session/session.server";
import { cookieOf } from "./cookies";

const SITE = "https://cap.example";
/** What browsers keep of one cookie: name, value and attributes (RFC 6265, 6.1). */
const LIMIT = 4096;
const LONGEST_EMAIL = `${"a".repeat(64)}@${"exemple-".repeat(22)}exemples.museum`.slice(0, 254);
const LONGEST_UID = "u".repeat(128);
/** 21 bytes in all: one more letter would be too long. */
const LONGEST_WAY = `/article/${"%C3%A9".repeat(70)}rrr`;
const LONGEST_FLASHES = Object.keys(flash)
  .sort((a, b) => b.length - a.length)
  .slice(0, 5)
  .map((key) => flashMessage.shape.key.parse(key));
const MOMENT = "2096-11-20T09:00:00.000+01:00";

beforeAll(() => {
  process.env.SESSION_SECRET = "a-secret-of-the-session-tests-long-enough";
});

/** As the platform signs them. */
function tokenOf() {
  const session = crypto.randomUUID();
  const acl = { vip: true, coach: true };
  return new SignJWT({ uid: crypto.randomUUID(), identifier: LONGEST_EMAIL, acl, session })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt(2_000_000_000)
    .setExpirationTime(2_001_209_600)
    .sign(new Uint8Array(32));
}

/** Nothing else goes with it: a withdrawal has no end to come, and who is signed in need not confirm. */
const receiptOf = (number: number) => ({
  path: "/cancel-contract",
  receivedAt: MOMENT,
  keptUntil: Math.floor(Date.parse(MOMENT) / 1000) + number,
  isRepeat: true as const,
  accessEnd: "30 sept. 2026",
  debits: 12,
  declared: { name: "é".repeat(100), email: LONGEST_EMAIL, reference: "r".repeat(100) },
});

/** The largest data of a session: long addresses, both providers, a partner, a long return path. */
async function fullSession(): Promise<Session> {
  const session = new Session({});
  session.connect("default", await tokenOf());
  session.connect("contact", await tokenOf());
  session.set({
    uniqueToken: "u".repeat(128),
    affiliation: { token: "t".repeat(128), platform: "p".repeat(64) },
    formula: LONGEST_UID,
    cashback: true,
    returnTo: LONGEST_WAY,
    paymentResult: "0",
    ordered: { dateTime: new Date(MOMENT).toISOString(), outcome: "unknown" },
    receipts: [1, 2, 3].map(receiptOf),
  });
  session.set({ sentTo: { path: "/contact/new-ticket", email: LONGEST_EMAIL } });
  session.noteSignUp(MOMENT);
  for (const key of LONGEST_FLASHES) session.flash({ type: "success", key });
  return session;
}

describe("the largest session", () => {
  it("is as large as its schemas allow", () => {
    expect([LONGEST_EMAIL.length, email.safeParse(LONGEST_EMAIL).success]).toEqual([254, true]);
    expect(email.safeParse(`${LONGEST_EMAIL}m`).success).toBe(false);
    expect(uid.safeParse(`${LONGEST_UID}u`).success).toBe(false);
    expect([LONGEST_WAY.length, safeReturnPath(LONGEST_WAY)]).toEqual([432, LONGEST_WAY]);
    expect(safeReturnPath(`${LONGEST_WAY}r`)).toBeNull();
  });

  it("fits into a browser's cookie with its newest receipt", async () => {
    const session = await fullSession();
    const line = await writeSession(session, new Request(SITE));
    expect(line).toContain("; Secure");
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LIMIT);
    const cookie = cookieOf(line);
    const read = await readSession(new Request(SITE, { headers: { cookie } }));
    const { sentTo: _, ...needed } = session.data;
    const { declared: __, debits: ___, ...newest } = receiptOf(3);
    expect(read.data).toEqual({ ...needed, receipts: [newest] });
  });

  it("keeps the typed address where it has room", async () => {
    const session = new Session({});
    session.connect("default", await tokenOf());
    session.set({ sentTo: { path: "/contact/new-ticket", email: LONGEST_EMAIL } });
    const cookie = cookieOf(await writeSession(session, new Request(SITE)));
    const read = await readSession(new Request(SITE, { headers: { cookie } }));
    expect(read.data).toEqual(session.data);
  });

  it("keeps several receipts and what they name where they have room", async () => {
    const session = new Session({});
    session.connect("default", await tokenOf());
    const declared = { name: "Léa d’Arc-Martin", email: "lea@exemple.fr", seller: "s".repeat(200) };
    session.set({ receipts: [1, 2, 3].map((number) => ({ ...receiptOf(number), declared })) });
    const cookie = cookieOf(await writeSession(session, new Request(SITE)));
    const read = await readSession(new Request(SITE, { headers: { cookie } }));
    expect(read.data).toEqual(session.data);
  });

  it("remembers everything that a session can", async () => {
    const names: Record<keyof SessionData, true> = {
      tokens: true,
      person: true,
      uniqueToken: true,
      affiliation: true,
      formula: true,
      ordered: true,
      cashback: true,
      returnTo: true,
      paymentResult: true,
      signUp: true,
      receipts: true,
      sentTo: true,
      flash: true,
    };
    expect(Object.keys((await fullSession()).data).sort()).toEqual(Object.keys(names).sort());
  });
});
