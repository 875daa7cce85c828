import { mdiCheck } from "@mdi/js";
import { useT } from "~/i18n/use-t";
import { classNames } from "./class-names";
import { Icon } from "./icon";
import { VisuallyHidden } from "./visually-hidden";

const steps = ["account", "payment", "welcome"] as const;
export type Step = (typeof steps)[number];

/** The steps of the registration, with the current one marked. */
export function Steps({ current }: { current: Step }) {
  const t = useT("ui");
  const position = steps.indexOf(current);
  return (
    <ol className="steps" aria-label={t("steps.title")}>
      {steps.map((step, index) => (
        <li
          key={step}
          className={classNames("steps__item", index < position && "steps__item--done")}
          aria-current={index === position ? "step" : undefined}
        >
          <span className="steps__mark" aria-hidden="true">
            {index < position && <Icon path={mdiCheck} />}
          </span>
          <span>
            {t(`steps.${step}`)}
            {index < position && <VisuallyHidden> {t("steps.done")}</VisuallyHidden>}
            {index === position && <VisuallyHidden> {t("steps.current")}</VisuallyHidden>}
          </span>
        </li>
      ))}
    </ol>
  );
}
