import type { ReactNode } from "react";

type NavLinkProps = {
  href: string;
  path: string;
  /** The link is also marked on every path that begins so. */
  under?: string;
  children: ReactNode;
};

/** One entry of the site's navigation, marked when it is the page or the part of the site shown. */
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
