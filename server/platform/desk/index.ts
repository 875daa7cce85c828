import type { Handlers } from "../http/types";
import type { DeskContext } from "./context";
import { deskHandlers } from "./handlers";

/** The desk, where coaches answer. */
export const createDesk = (context: DeskContext): { handlers: Handlers } => ({
  handlers: deskHandlers(context),
});
