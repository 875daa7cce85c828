import { useT } from "~/i18n/use-t";
import { CoachPortrait } from "~/ui/art/coach-portrait";
import { PageHeading } from "~/ui/page-heading";
import { Prose } from "~/ui/prose";

/** What stands above the list. `author`: it is the list of one author. */
export type HeadingData = {
  title: string;
  lead?: string;
  author?: { uid: string; biography?: string };
};

export function ListHeading({ heading: { title, lead, author } }: { heading: HeadingData }) {
  return (
    <>
      <PageHeading title={title} lead={lead} />
      {author && <Author {...author} />}
    </>
  );
}

function Author({ uid, biography }: NonNullable<HeadingData["author"]>) {
  const t = useT("articles");
  return (
    <section className="author" aria-label={t("author.about")}>
      <CoachPortrait uid={uid} />
      {biography && <Prose html={biography} />}
    </section>
  );
}
