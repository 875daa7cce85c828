import type { Reference } from "~/api/reference.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import { subjectOf, type Filters } from "./filters";
import type { HeadingData } from "./heading";

type Described = { heading: HeadingData; description: string; address?: string };

/** What a list is called and described by, and its own address where it is about one author, category or tag. */
export function describeList(visit: Visit, filters: Filters, reference: Reference): Described {
  return describeSubject(visit, filters, reference) ?? describeAll(visit, filters);
}

function describeAll({ t }: Visit, { q: words }: Filters): Described {
  const description = t("articles", "description");
  if (words) return { heading: { title: t("articles", "search.title", { words }) }, description };
  return { heading: { title: t("articles", "title"), lead: t("articles", "lead") }, description };
}

function describeSubject({ t }: Visit, filters: Filters, reference: Reference): Described | null {
  const subject = subjectOf(filters);
  if (!subject) return null;
  const { kind, uid } = subject;
  const address = paths.articles({ [kind]: uid });
  const item = reference[kind].get(uid);
  // An unknown uid is a filter that no article matches.
  if (!item) return null;
  const { name } = item;
  switch (kind) {
    case "authors": {
      const { role: lead, biography } = reference.authors.get(uid) ?? {};
      const author = { uid, ...(biography && { biography }) };
      const description = t("articles", "author.description", { name });
      return { heading: { title: name, ...(lead && { lead }), author }, description, address };
    }
    case "categories": {
      const lead = reference.categories.get(uid)?.description;
      const description = lead ?? t("articles", "category.description", { name });
      return { heading: { title: name, ...(lead && { lead }) }, description, address };
    }
    case "tags": {
      const lead = t("articles", "tag.lead");
      const description = t("articles", "tag.description", { name });
      return { heading: { title: name, lead }, description, address };
    }
  }
}
