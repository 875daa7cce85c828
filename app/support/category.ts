/** `[category]: title` as the platform keeps it; split again for showing. */
export function splitTitle(full: string): { category: string | null; title: string } {
  const [, category, title] = /^\[([^\]]+)\]: (.*)$/s.exec(full) ?? [];
  return category && title ? { category, title } : { category: null, title: full };
}

/** What people write about, by its key in the catalogue `contact`. */
export const categories = ["subscription", "payment", "account", "content", "other"] as const;
