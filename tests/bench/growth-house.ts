import { PAGE_LENGTH } from "~/contract/limits";
import { articleOrder } from "../../server/platform/content/rules";
import { openDatabase } from "../../server/platform/database/connection";
import type { Database } from "../../server/platform/database/tables";
import { encodeCursor } from "../../server/platform/paging/cursor";
import { newEmail, PASSWORD } from "../support/people";
import type { Visitor } from "../support/pages";
import { startSite, type Site } from "../support/site";
import { fill, type Size } from "./growth-data";
import { newCoach, newMember, visitorAt } from "./people";

/** So many different articles and cursors are known of each house. */
export const SAMPLES = 100;

const MESSAGES = 6;

/** A running site with a database of some size, the people who ask it, and what they ask for. */
export type House = {
  site: Site;
  anyone: Visitor;
  member: Visitor;
  coach: Visitor;
  /** Bearer tokens for `/api`. */
  tokens: { anyone: null; member: string; coach: string };
  memberUid: string;
  /** Path of the subscriber's discussion. */
  discussion: string;
  /** Uids of articles and cursors behind them, evenly from all over the list. */
  articles: readonly string[];
  cursors: readonly string[];
  /** A ticket of the desk. */
  ticket: string;
};

type Variables = Record<string, string>;

/** Starts a site, lets people come in, stops it while its database is filled, and starts it again. */
export async function openHouse(size: Size, variables: Variables): Promise<House> {
  const site = await startSite({ LOG_LEVEL: "silent", ...variables });
  const { DATABASE_URL: databaseUrl } = variables;
  const database = await openDatabase({ databaseUrl, dataDir: site.dataDir });
  const { visitor, email, discussion } = await newMember(site, MESSAGES);
  const coachEmail = newEmail("coach");
  const coach = await newCoach(site, database, coachEmail);
  await site.stop();
  await fill(database, size);
  const samples = await readSamples(database);
  const ticket = await readTicket(database);
  await database.destroy();
  await site.restart();
  const signedIn = await signIn(site, email);
  return {
    site,
    anyone: visitorAt(site),
    member: visitor,
    coach,
    tokens: {
      anyone: null,
      member: signedIn.token,
      coach: (await signIn(site, coachEmail)).token,
    },
    memberUid: signedIn.uid,
    discussion,
    articles: samples.map(({ uid }) => uid),
    cursors: samples.map(({ date, uid }) => cursorAfter(date, uid)),
    ticket,
  };
}

/** A cursor in the list of articles, newest first. */
export const cursorAfter = (date: string, uid: string) =>
  encodeCursor("articles", articleOrder(undefined, []), [date, uid]);

/** The last ones are left out: behind them the list has no whole page. */
async function readSamples(db: Database) {
  const all = await db
    .selectFrom("article")
    .select(["uid", "date"])
    .where("uid", "like", "mesure-%")
    .orderBy("date", "desc")
    .orderBy("uid", "desc")
    .execute();
  return Array.from({ length: SAMPLES }, (_, n) => {
    const sample = all[Math.floor((n * all.length) / SAMPLES)];
    if (!sample) throw new Error("There are too few articles");
    return sample;
  });
}

/** One with more messages than a page shows. */
async function readTicket(db: Database): Promise<string> {
  const { uid } = await db
    .selectFrom("ticket")
    .select("uid")
    .where("type", "=", "contact")
    .where("message_count", ">", PAGE_LENGTH)
    .orderBy("uid")
    .executeTakeFirstOrThrow();
  return uid;
}

async function signIn(site: Site, identifier: string) {
  const answer = await fetch(`${site.origin}/api/auth_check`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identifier, password: PASSWORD }),
  });
  const { payload } = (await answer.json()) as { payload: { token: string } };
  const [, claims = ""] = payload.token.split(".");
  const { uid } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { uid: string };
  return { token: payload.token, uid };
}
