/** What a discussion may begin with: keys of texts, and the value of `about` in the address of its form. */
export const OPENINGS = ["chart", "step", "choice"] as const;
