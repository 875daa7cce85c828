import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";

type ContactTabsProps = { current: "home" | "new" | "tickets"; t: string | null };

/** Tabs of the contact area. Their links carry the secret of the mailed link. */
export function ContactTabs({ current, t: secret }: ContactTabsProps) {
  const t = useT("contact");
  const query = secret ? { t: secret } : {};
  const tabs = [
    { key: "home", href: paths.contact(secret ?? undefined) },
    { key: "new", href: paths.contactNewTicket(query) },
    { key: "tickets", href: secret ? paths.contactTickets(query) : paths.contactLink() },
  ] as const;
  return (
    <nav className="tabs" aria-label={t("tabs.title")}>
      <ul className="tabs__list">
        {tabs.map(({ key, href }) => (
          <li key={key}>
            <a
              className="tabs__tab"
              href={href}
              aria-current={key === current ? "page" : undefined}
            >
              {t(`tabs.${key}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
