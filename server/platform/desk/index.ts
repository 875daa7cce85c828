import type { Handlers } from "../http/types";
import type { SupportContext } from "../support/context";
import { deskHandlers } from "./handlers";

/** Where coaches answer. */
export const deskOf = (context: SupportContext): { handlers: Handlers } => ({
  handlers: deskHandlers(context),
});
