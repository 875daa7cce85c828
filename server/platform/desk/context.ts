import type { Calendar } from "../../../app/contract/periods";
import type { SupportContext } from "../support/context";

/** The desk counts the periods of contracts, to tell when one that is to stop ends. */
export type DeskContext = SupportContext & { calendar: Calendar };
