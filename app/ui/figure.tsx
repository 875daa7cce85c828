import type { ReactNode } from "react";

type FigureProps = { caption?: string; children: ReactNode };

export function Figure({ caption, children }: FigureProps) {
  return (
    <figure className="figure">
      {children}
      {caption && <figcaption className="figure__caption">{caption}</figcaption>}
    </figure>
  );
}
