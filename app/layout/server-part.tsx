import type { ReactNode } from "react";

/**
 * Markup that only the server renders. React leaves it as it is when it takes over the page, so that its texts
 * and components are not in what a browser loads. Write its content as `import.meta.env.SSR && <Content />`.
 */
export function ServerPart({ children }: { children: ReactNode }) {
  if (import.meta.env.SSR) return <div>{children}</div>;
  return <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />;
}
