/** Categories of contact tickets: keys in the catalogue `contact`. */
export const categories = ["subscription", "payment", "account", "content", "other"] as const;
