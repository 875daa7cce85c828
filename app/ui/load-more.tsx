import { useT } from "~/i18n/use-t";
import { ButtonLink } from "./button";

type LoadMoreProps = {
  href: string;
  /** Replaces the default text. */
  text?: string;
};

/** A link to the next page of a list; a script may load it in place (`data-load-more`). */
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
