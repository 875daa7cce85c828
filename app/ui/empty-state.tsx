import type { ReactNode } from "react";
import { EmptySky } from "./art/empty-sky";

type EmptyStateProps = {
  title: string;
  /** What to do, in one sentence. */
  text?: string;
  /** Buttons or links. */
  children?: ReactNode;
  level?: 2 | 3;
};

export function EmptyState({ title, text, children, level = 2 }: EmptyStateProps) {
  const Title = level === 2 ? "h2" : "h3";
  return (
    <div className="empty">
      <EmptySky />
      <Title className="panel__title">{title}</Title>
      {text && <p className="empty__text">{text}</p>}
      {children}
    </div>
  );
}
