import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { useRender } from "~/render-context";
import type { Shell } from "~/session/shell.server";
import { Button } from "~/ui/button";

/** Asks for consent, above the page: two buttons of the same weight, in a form that needs no script. */
export function ConsentBanner() {
  const { shell } = useRender();
  const t = useT("preferences");
  if (!shell?.asksConsent) return null;
  return (
    <section className="consent container" aria-label={t("banner.label")}>
      <form method="post" action={paths.cookies()} className="panel">
        <p>
          {t("banner.text")} <a href={paths.cookies(shell.address)}>{t("banner.more")}</a>
        </p>
        <input type="hidden" name="to" value={shell.address} />
        <ConsentButtons />
      </form>
    </section>
  );
}

export function ConsentButtons() {
  const t = useT("preferences");
  return (
    <div className="cluster">
      <Button name="intent" value="refuse">
        {t("refuse")}
      </Button>{" "}
      <Button name="intent" value="accept">
        {t("accept")}
      </Button>
    </div>
  );
}

/** Links to the choices of this browser, at the end of each page. */
export function PreferenceLinks() {
  const { shell } = useRender();
  const t = useT("preferences");
  if (!shell) return null;
  const { lite, address } = shell;
  return (
    <>
      <a href={paths.cookies()}>{t("footer.cookies")}</a>{" "}
      <a href={withLite(address, !lite)}>{t(lite ? "footer.whole" : "footer.lite")}</a>{" "}
      {shell.english && <EnglishLink {...shell.english} address={address} />}
    </>
  );
}

type EnglishLinkProps = NonNullable<Shell["english"]> & { address: string };

/**
 * Leads to the page as the provider translates it. With script it leads to the question whether pages may be
 * translated here (`app/enhance/english.ts`).
 */
function EnglishLink({ isOn, translated, address }: EnglishLinkProps) {
  const t = useT("preferences");
  const here = paths.translation(address);
  if (isOn) return <a href={here}>{t("footer.french")}</a>;
  return (
    <a href={translated ?? here} hrefLang="en" lang="en" data-english={here}>
      {t("footer.english")}
    </a>
  );
}

function withLite(address: string, isWanted: boolean) {
  const [path = "", query] = address.split("?");
  const search = new URLSearchParams(query);
  search.set("lite", isWanted ? "1" : "0");
  return `${path}?${search.toString()}`;
}
