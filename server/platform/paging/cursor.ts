import { z } from "zod/v4";
import { moment, uid } from "../../../app/contract/primitives";
import { invalid } from "../http/refusal";
import type { Order } from "./order";

/** Schemas of cursor values: a value of a wrong type must not reach the database. */
const VALUES = {
  uid,
  date: moment,
  wait: moment,
  author: z
    .string()
    .max(128)
    .regex(/^\P{C}*$/u),
  menu: z.int32(),
  position: z.int32(),
  relevance: z.int32(),
  place: z.int(),
};

export type CriterionName = keyof typeof VALUES;
export type Position = readonly (string | number)[];

/** Encodes the end of a page; only the same list in the same order accepts the cursor. */
export function encodeCursor(list: string, order: Order, position: Position): string {
  return Buffer.from(JSON.stringify([signature(list, order), ...position])).toString("base64url");
}

/** @throws Refusal 400 when the cursor is malformed or belongs to another list or order */
export function decodeCursor(
  list: string,
  order: Order,
  cursor: string,
  property = "after",
): Position {
  const values = order.map(({ name }) => VALUES[name]);
  const parts = z.tuple([z.literal(signature(list, order))], z.union([z.string(), z.number()]));
  const parsed = parts.safeParse(parseJson(cursor));
  const position = parsed.data?.slice(1) ?? [];
  const fits = values.every((schema, i) => schema.safeParse(position[i]).success);
  if (!fits || position.length !== values.length) {
    throw invalid(property, "This cursor does not belong to this list in this order");
  }
  return position;
}

function signature(list: string, order: Order) {
  return [list, ...order.map(({ name, direction }) => `${name}.${direction}`)].join(" ");
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    // No cursor of ours: refused as one that does not fit.
    return null;
  }
}
