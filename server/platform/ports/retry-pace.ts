/**
 * How soon what failed is tried again. `slow`: after pauses of up to six hours, because it may have been done without an
 * answer, and is then done twice.
 */
export type RetryPace = "usual" | "slow";
