import type { ReactNode } from "react";

/**
 * Markup that only the server renders. React leaves it as it is when it takes over the page, so that its texts
 * and components are not in what a browser loads. Write its content as `import.meta.env.SSR && <Content />`.
 */
export function ServerPart({ className, children }: { className?: string; children: ReactNode }) {
  if (import.meta.env.SSR) return <div className={className}>{children}</div>;
  return (
    <div className={className} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
  );
}
