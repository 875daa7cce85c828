import type { ReactNode } from "react";

type PageHeadingProps = { title: string; lead?: string; children?: ReactNode };

/** The h1 of a page without a hero. */
export function PageHeading({ title, lead, children }: PageHeadingProps) {
  return (
    <div className="heading heading--page">
      <div className="heading__text">
        <h1>{title}</h1>
        {lead && <p className="heading__lead">{lead}</p>}
      </div>
      {children}
    </div>
  );
}
