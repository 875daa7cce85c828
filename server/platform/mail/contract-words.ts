import { fill } from "./fill";
import { formatDay } from "./format";
import catalogue from "./letters.fr.json";
import type { ContractName } from "./letters";

/** The name of a contract within the facts of a letter. */
export const contractWords = ({ reference, orderedAt }: ContractName) =>
  fill(catalogue.contract, { reference, day: formatDay(orderedAt) });
