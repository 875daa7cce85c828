/** The platform's names for the spans of the contract, which must not import from here. */
export { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../app/contract/durations";
