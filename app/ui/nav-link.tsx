import type { ReactNode } from "react";

type NavLinkProps = {
  href: string;
  path: string;
  /** The link is also marked on every path with this beginning. */
  under?: string;
  children: ReactNode;
};

/** One link of the site's navigation. It is marked when its page, or a page of its part, is shown. */
export function NavLink({ href, path, under, children }: NavLinkProps) {
  const within = under !== undefined && path.startsWith(under);
  return (
    <li>
      <a
        className="site-nav__link"
        href={href}
        aria-current={path === href ? "page" : within ? "true" : undefined}
      >
        {children}
      </a>
    </li>
  );
}
