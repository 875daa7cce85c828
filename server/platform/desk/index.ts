import type { Handlers } from "../http/types";
import type { SupportContext } from "../support/context";
import { deskHandlers } from "./handlers";

/** The desk, where coaches answer. */
export const createDesk = (context: SupportContext): { handlers: Handlers } => ({
  handlers: deskHandlers(context),
});
