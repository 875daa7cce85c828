/** Where a favorite was removed, in the address to which that leads back: the message stands there. */
export const DROPPED = "favori-retire";

export const DROPPED_MESSAGES = ["favoriteDropped"] as const;
