import { useEffect, useRef, type ReactNode } from "react";
import { useCameWithPage } from "./use-came-with-page";

type PageHeadingProps = {
  title: ReactNode;
  lead?: string;
  /** The title was written by somebody as the subject of a conversation, in any length. */
  isSubject?: boolean;
  children?: ReactNode;
};

/** The h1 of a page without a hero. */
export function PageHeading({ title, lead, isSubject, children }: PageHeadingProps) {
  const heading = useFocusIfLost();
  return (
    <div className="heading heading--page">
      <div className="heading__text">
        <h1 ref={heading} className={isSubject ? "heading__subject" : undefined}>
          {title}
        </h1>
        {lead && <p className="heading__lead">{lead}</p>}
      </div>
      {children}
    </div>
  );
}

/**
 * A step that replaces the form it follows, and with it the pressed button, starts at its heading: nothing
 * else would tell a screen reader of it, and it may be above what a phone shows.
 */
function useFocusIfLost() {
  const cameWithPage = useCameWithPage();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (cameWithPage || !heading.current || document.activeElement !== document.body) return;
    heading.current.tabIndex = -1;
    heading.current.focus();
  }, [cameWithPage]);
  return heading;
}
