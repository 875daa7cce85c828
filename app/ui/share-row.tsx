import { mdiEmailOutline, mdiFacebook, mdiLinkVariant, mdiWhatsapp } from "@mdi/js";
import { useT } from "~/i18n/use-t";
import { Icon } from "./icon";

/** `url` is the whole address of the page. */
type ShareRowProps = { url: string; title: string };

/**
 * Plain links that work without JavaScript. The copy button is `hidden` until a script shows it;
 * that script puts `data-copied` into the status when the address `data-copy` is in the clipboard.
 */
export function ShareRow({ url, title }: ShareRowProps) {
  const t = useT("ui");
  const address = encodeURIComponent(url);
  const subject = encodeURIComponent(title);
  return (
    <section className="share" aria-labelledby="share-title">
      <h2 className="share__title" id="share-title">
        {t("share.title")}
      </h2>
      <button
        type="button"
        className="button button--small"
        hidden
        data-copy={url}
        data-copied={t("share.copied")}
      >
        <Icon path={mdiLinkVariant} />
        {t("share.copy")}
      </button>
      <ShareLink
        href={`mailto:?subject=${subject}&body=${subject}%0A${address}`}
        icon={mdiEmailOutline}
        text={t("share.mail")}
      />
      <ShareLink
        href={`https://wa.me/?text=${subject}%20${address}`}
        icon={mdiWhatsapp}
        text={t("share.whatsapp")}
      />
      <ShareLink
        href={`https://www.facebook.com/sharer/sharer.php?u=${address}`}
        icon={mdiFacebook}
        text={t("share.facebook")}
      />
      <span className="share__status" role="status" data-copy-status />
    </section>
  );
}

function ShareLink({ href, icon, text }: { href: string; icon: string; text: string }) {
  return (
    <a className="button button--small" href={href} rel="noopener noreferrer">
      <Icon path={icon} />
      {text}
    </a>
  );
}
