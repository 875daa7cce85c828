import { sql } from "kysely";
import type { TestAnswer, TestPlatform } from "../support/platform";
import { CARDS, newAddress, type Person } from "./funnel";

export const newKey = () => `key-${crypto.randomUUID()}`;

type Card = { number: string; month: number; year: number; code: string };

type Paying = {
  card?: string;
  key?: string;
  /** From where it is sent. */
  address?: string | null;
  /** Over the whole of a good request. */
  body?: Record<string, unknown>;
  creditCard?: Partial<Record<keyof Card, unknown>>;
};

/** Pays by the site's card form, with a good card unless told otherwise. */
export function payByCard(
  platform: TestPlatform,
  person: Person,
  paying: Paying = {},
): Promise<TestAnswer> {
  const { card: number = CARDS.success, key = newKey(), address = newAddress() } = paying;
  const creditCard = { number, month: 12, year: 2030, code: "123", ...paying.creditCard };
  const names = { firstname: "Léa", lastname: "d'Arc-Martin" };
  return platform.call("POST /subscriptions", {
    token: person.token,
    headers: keyed(key, address),
    body: { uid: person.uid, ...names, formula: "vip-mensuel", creditCard, ...paying.body },
  });
}

type Subscribing = { key?: string; body?: Record<string, unknown> };

/** Asks for a payment without a card. */
export function subscribe(
  platform: TestPlatform,
  { uid, token }: Person,
  { key = newKey(), body }: Subscribing = {},
): Promise<TestAnswer> {
  return platform.call("POST /subscriptions/subscribe", {
    token,
    headers: keyed(key, null),
    body: { uid, formula: "vip-mensuel", ...body },
  });
}

const keyed = (key: string, address: string | null) => ({
  "idempotency-key": key,
  ...(address !== null && { "x-client-address": address }),
});

export const subscriptions = ({ database }: TestPlatform) =>
  database.selectFrom("subscription").selectAll().execute();

export const payments = ({ database }: TestPlatform) =>
  database.selectFrom("payment").selectAll().orderBy("created_at").orderBy("uid").execute();

/** What an answer says, without its headers. */
export const told = ({ status, body }: TestAnswer) => ({ status, body });

/** Every value of every column of every table, as text. */
export async function everyValue({ database }: TestPlatform): Promise<string[]> {
  const values: string[] = [];
  for (const { name } of await database.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      database,
    );
    for (const row of rows) values.push(...Object.values(row).map(String));
  }
  return values;
}
