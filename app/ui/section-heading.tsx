import type { ReactNode } from "react";

type SectionHeadingProps = {
  title: string;
  id?: string;
  lead?: string;
  /** A link to the whole, at the end of the line. */
  children?: ReactNode;
};

export function SectionHeading({ title, id, lead, children }: SectionHeadingProps) {
  return (
    <div className="heading">
      <div className="heading__text">
        <h2 id={id}>{title}</h2>
        {lead && <p className="heading__lead">{lead}</p>}
      </div>
      {children}
    </div>
  );
}
