/** An address for each request, so that limits by address do not add up. Of a private network, as of a container. */
export const addressOf = (index: number) =>
  `10.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
