import type { ReactNode } from "react";

type PanelProps = {
  title?: string;
  id?: string;
  /** At the end of the title's line: a state, a link. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A white card of an account, a form or a recap; several go into `.panels`. */
export function Panel({ title, id, aside, children }: PanelProps) {
  return (
    <section className="panel" id={id}>
      {title && (
        <div className="panel__head">
          <h2 className="panel__title">{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
