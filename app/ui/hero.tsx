import type { ReactNode } from "react";

type HeroProps = {
  title: string;
  lead: string;
  /** One primary button, at most one quiet link. */
  actions: ReactNode;
  /** A drawing, e.g. `<ChartWheel />`. */
  art?: ReactNode;
  note?: string;
};

export function Hero({ title, lead, actions, art, note }: HeroProps) {
  return (
    <section className="section--night hero">
      <div className="container hero__inner">
        <div className="hero__text">
          <h1>{title}</h1>
          <p className="hero__lead">{lead}</p>
          <div className="hero__actions">{actions}</div>
          {note && <p className="soft small">{note}</p>}
        </div>
        {art && <div className="hero__art">{art}</div>}
      </div>
    </section>
  );
}
