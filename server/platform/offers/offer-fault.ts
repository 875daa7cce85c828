/** A start is refused for what is on sale. Its owner cures that by commands on the database. */
export class OfferFault extends Error {}
