import type { World } from "../world";

/** What the life of a subscription works with inside a transaction: the bank is asked outside. */
export type Life = Omit<World, "gateway">;
