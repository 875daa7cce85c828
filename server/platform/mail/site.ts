import type { Site } from "./letters";

/** Of the mails: `url` is the configured origin; null where none is. */
export type ConfiguredSite = { title: string; url: string | null };

/** The configured address of the site; otherwise the one where a mail's cause took place. */
export const siteOf = ({ site }: { site: ConfiguredSite }, origin: string | null): Site => ({
  title: site.title,
  url: site.url ?? origin ?? "",
});
