import { listLink } from "~/api/cards.server";
import type { Reference } from "~/api/reference.server";
import type { Within } from "~/i18n/keys";
import { FOOTER_PAGES, paths, serverPaths } from "~/paths";
import type { Visit } from "~/session/visit.server";

export type Group = {
  name: Within<"siteMap", "groups">;
  links: { name: string; href: string }[];
};

/** The lists of the content. Groups of which there is nothing are left out. */
export function contentGroups(reference: Reference): Group[] {
  const groups: [name: Group["name"], kind: keyof Reference][] = [
    ["articles", "categories"],
    ["authors", "authors"],
    ["tags", "tags"],
  ];
  return groups
    .map(([name, kind]) => ({
      name,
      links: [...reference[kind].values()].map((item) => listLink(kind, item)),
    }))
    .filter(({ links }) => links.length > 0);
}

/** The ways into the content, which need nothing of it. */
export const siteGroup = ({ t }: Visit): Group => ({
  name: "site",
  links: [
    { name: t("site", "breadcrumb.home"), href: paths.home() },
    { name: t("siteMap", "articles"), href: paths.articles() },
    { name: t("ui", "header.about"), href: paths.text("about") },
  ],
});

/** Everything else: what belongs to the visitor, the contact and the legal pages. */
export const serviceGroups = (visit: Visit): Group[] => [
  visit.session.claims() ? accountGroup(visit) : accessGroup(visit),
  contactGroup(visit),
  legalGroup(visit),
];

const accessGroup = ({ t }: Visit): Group => ({
  name: "access",
  links: [
    { name: t("registration", "title"), href: paths.registration() },
    { name: t("login", "title"), href: paths.login() },
    { name: t("reset", "title"), href: paths.resetPassword() },
  ],
});

/** The pages that the person's roles open. */
function accountGroup({ t, session }: Visit): Group {
  const isSubscriber = session.hasRole("vip");
  const isCoach = session.hasRole("coach");
  const links = [
    (isSubscriber || isCoach) && { name: t("account", "title"), href: paths.account() },
    { name: t("email", "title"), href: serverPaths.accountEmail() },
    isSubscriber && { name: t("favorites", "title"), href: serverPaths.accountFavorites() },
    isSubscriber && { name: t("coaching", "title"), href: paths.coaching() },
    isSubscriber && { name: t("coaching", "new.title"), href: paths.coachingNewDiscussion() },
    isCoach && { name: t("desk", "title"), href: paths.desk() },
    isSubscriber && { name: t("subscription", "title"), href: paths.accountSubscription() },
    !isSubscriber && { name: t("registration", "title"), href: paths.registration() },
    { name: t("subscription", "contract.title"), href: paths.accountContract() },
    { name: t("payments", "title"), href: paths.accountPayments() },
    { name: t("data", "title"), href: paths.accountData() },
    { name: t("logout", "title"), href: paths.logout() },
  ];
  return { name: "account", links: links.filter((link) => link !== false) };
}

const contactGroup = ({ t }: Visit): Group => ({
  name: "contact",
  links: [
    { name: t("contact", "title"), href: paths.contact() },
    { name: t("contact", "new.title"), href: paths.contactNewTicket() },
    { name: t("contact", "link.title"), href: paths.contactLink() },
  ],
});

const legalGroup = ({ t }: Visit): Group => ({
  name: "legal",
  links: [
    ...FOOTER_PAGES.map((page) => ({
      name: t("ui", `footer.pages.${page}`),
      href: paths.text(page),
    })),
    { name: t("ui", "footer.cancel"), href: paths.cancelContract() },
    { name: t("ui", "footer.withdraw"), href: paths.withdrawal() },
    { name: t("preferences", "cookies.title"), href: paths.cookies() },
  ],
});
