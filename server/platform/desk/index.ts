import type { Handlers } from "../http/types";
import type { World } from "../support/world";
import { deskHandlers } from "./handlers";

/** Where coaches answer. */
export const deskOf = (world: World): { handlers: Handlers } => ({ handlers: deskHandlers(world) });
