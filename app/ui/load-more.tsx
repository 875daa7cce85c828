import { useT } from "~/i18n/use-t";
import { ButtonLink } from "./button";

type LoadMoreProps = {
  href: string;
  /** Text instead of the default one. */
  text?: string;
};

/** A link to the next page of a list. A script may append that page instead (`data-load-more`). */
export function LoadMore({ href, text }: LoadMoreProps) {
  const t = useT("ui");
  return (
    <div className="load-more" data-load-more>
      <ButtonLink href={href} rel="next">
        {text ?? t("loadMore")}
      </ButtonLink>
    </div>
  );
}
