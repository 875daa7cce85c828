/** An address for each request (range for benchmarks, RFC 2544), so that limits by address do not add up. */
export const addressOf = (index: number) =>
  `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
