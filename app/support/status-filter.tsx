import { SHOWN_STATUSES, type ShownStatus } from "~/contract/ticket-status";
import { useT } from "~/i18n/use-t";

type StatusFilterProps = {
  current: ShownStatus | null;
  href: (query: { status?: string }) => string;
};

/** Links to the list per status. Each is a page of its own. */
export function StatusFilter({ current, href }: StatusFilterProps) {
  const t = useT("support");
  const choices = [null, ...SHOWN_STATUSES];
  return (
    <nav aria-label={t("filter.title")}>
      <ul className="chips">
        {choices.map((status) => (
          <li key={status}>
            <a
              className="chip"
              href={href(status ? { status } : {})}
              aria-current={status === current ? "true" : undefined}
            >
              {status ? t(`status.${status}`) : t("filter.all")}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
