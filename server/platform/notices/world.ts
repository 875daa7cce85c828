import type { PeopleWorld } from "../subscriptions/world";

/** What the rules of notices work with. */
export type World = PeopleWorld;

/** The same inside a transaction. */
export type Life = Omit<World, "gateway">;
