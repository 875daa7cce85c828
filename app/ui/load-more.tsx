import { useT } from "~/i18n/use-t";
import { ButtonLink } from "./button";

type LoadMoreProps = {
  href: string;
  /** Text instead of the default one. */
  text?: string;
  /** False where React draws the list anew: it must find the rows that it has drawn. */
  inPlace?: boolean;
};

/** A link to the next page of a list. A script may append that page instead (`data-load-more`). */
export function LoadMore({ href, text, inPlace = true }: LoadMoreProps) {
  const t = useT("ui");
  return (
    <div className="load-more" data-load-more={inPlace ? "" : undefined}>
      <ButtonLink href={href} rel="next">
        {text ?? t("loadMore")}
      </ButtonLink>
    </div>
  );
}
