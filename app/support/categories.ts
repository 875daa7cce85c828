/** What people write about, by its key in the catalogue `contact`. */
export const categories = ["subscription", "payment", "account", "content", "other"] as const;
