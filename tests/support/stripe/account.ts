import type { Clock } from "../../../server/platform/ports/clock";
import { missing } from "./errors";

type Metadata = Record<string, string>;
type Thing<T extends string> = { id: string; object: T; created: number; metadata: Metadata };

export type Customer = Thing<"customer"> & { email: string; deleted?: true };
export type Method = Thing<"payment_method"> & {
  type: "card";
  customer: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number };
};
export type Intent = Thing<"payment_intent"> & {
  amount: number;
  amount_refunded: number;
  amount_received: number;
  currency: string;
  customer: string;
  payment_method: string | null;
  status: "requires_payment_method" | "processing" | "succeeded" | "canceled";
  last_payment_error: { code: string; decline_code?: string; advice_code?: string } | null;
  latest_charge: string | null;
};
export type Charge = Thing<"charge"> & { amount: number; payment_intent: string };
export type Session = Thing<"checkout.session"> & {
  amount_total: number;
  cancel_url: string;
  customer: string;
  expires_at: number;
  payment_intent: string | null;
  payment_intent_data: Metadata;
  payment_status: "paid" | "unpaid";
  status: "open" | "complete" | "expired";
  success_url: string;
  url: string | null;
};
export type Refund = Thing<"refund"> & {
  amount: number;
  payment_intent: string;
  status: "succeeded" | "pending" | "failed" | "canceled";
};
export type Dispute = Thing<"dispute"> & {
  amount: number;
  payment_intent: string;
  status:
    | "needs_response"
    | "under_review"
    | "won"
    | "lost"
    | "prevented"
    | "warning_needs_response"
    | "warning_closed";
  /** What left the account, and came back to it; fees are not part of the amounts. */
  balance_transactions: { amount: number }[];
  payment_method_details: { type: "card"; card: { case_type: string } };
};
export type Warning = Thing<"radar.early_fraud_warning"> & {
  payment_intent: string;
};
export type Anything = Customer | Method | Intent | Charge | Session | Refund | Dispute | Warning;

/** Result of charging the card without the person: a reason of Stripe's, or a payment. */
export type Card = { last4?: string; refusal?: string; expiry?: [month: number, year: number] };

/** A card whose bank answers late. */
export const SLOW = "slow";

/** An expanded part is expanded further. */
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** All objects of the stand-in, in order of creation. */
export class Account {
  readonly things = new Map<string, Anything>();
  /** Reasons by payment method. */
  readonly refusals = new Map<string, string>();
  /** What banks advise when they refuse a card. */
  advice: string | undefined;
  /** Status of the refunds that are requested next. */
  refundsBecome: Refund["status"] = "succeeded";
  /** Seconds until the search finds new objects. At Stripe it takes up to an hour. */
  searchLag = 60;
  #count = 0;

  constructor(readonly clock: Clock) {}

  get now() {
    return Math.floor(this.clock.now().getTime() / 1000);
  }

  add<T extends Anything>(prefix: string, thing: Omit<T, "id" | "created">): T {
    const id = `${prefix}_test${++this.#count}${crypto.randomUUID().slice(0, 8)}`;
    const made = { ...thing, id, created: this.now } as T;
    this.things.set(id, made);
    return made;
  }

  /** @throws ApiError 404 */
  get<K extends Anything["object"]>(
    object: K,
    id: string,
    param?: string,
  ): Extract<Anything, { object: K }> {
    const found = this.all(object).find((thing) => thing.id === id);
    if (!found) throw missing(id, param);
    return found;
  }

  /** Newest first. */
  all<K extends Anything["object"]>(object: K): Extract<Anything, { object: K }>[] {
    const isKind = (thing: Anything): thing is Extract<Anything, { object: K }> =>
      thing.object === object;
    return [...this.things.values()].filter(isKind).reverse();
  }

  /** The object with ids replaced by their objects: `payment_intent.payment_method`. */
  expand(thing: object, path: string): object {
    const [name = "", ...rest] = path.split(".");
    const id: unknown = Reflect.get(thing, name);
    const found = typeof id === "string" ? this.things.get(id) : isObject(id) ? id : undefined;
    return found ? { ...thing, [name]: this.expand(found, rest.join(".")) } : thing;
  }
}
