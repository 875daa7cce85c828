import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Panel } from "~/ui/panel";

type WaysProps = { write: string; find: string; isSubscriber: boolean };

/** The ways to get help, the most common first. */
export function Ways({ write, find, isSubscriber }: WaysProps) {
  const t = useT("contact");
  const ways = [
    { key: "write", href: write },
    { key: "find", href: find },
    {
      key: isSubscriber ? "coaching" : "subscribe",
      href: isSubscriber ? paths.coaching() : paths.registration(),
    },
    { key: "cancel", href: paths.cancelContract() },
  ] as const;
  return (
    <div className="panels">
      {ways.map(({ key, href }, index) => (
        <Panel key={key} title={t(`ways.${key}.title`)}>
          <p>{t(`ways.${key}.text`)}</p>
          <p>
            <ButtonLink look={index === 0 ? "primary" : "secondary"} href={href}>
              {t(`ways.${key}.action`)}
            </ButtonLink>
          </p>
        </Panel>
      ))}
    </div>
  );
}
