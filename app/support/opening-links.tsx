import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import type { CoachingFacts } from "./coaching-facts.server";
import { OPENINGS } from "./openings";

type OpeningLinksProps = {
  facts: CoachingFacts;
  /** Somebody has begun to write: another beginning would replace their words. */
  isBegun?: boolean;
};

/** What a discussion may begin with, and when an answer usually comes. */
export function OpeningLinks({ facts, isBegun = false }: OpeningLinksProps) {
  const t = useT("opening");
  return (
    <div className="stack">
      {!isBegun && (
        <nav aria-label={t("title")}>
          <ul className="chips">
            {OPENINGS.map((about) => (
              <li key={about}>
                <a className="chip" href={paths.coachingNewDiscussion({ about })}>
                  {t(`${about}.label`)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {facts.usual && <p className="soft">{facts.usual}</p>}
    </div>
  );
}
