import { mdiEmailOutline, mdiFacebook, mdiLinkVariant, mdiWhatsapp } from "@mdi/js";
import { useT } from "~/i18n/use-t";
import { Icon } from "./icon";

/** `url` is the whole address of the page. */
type ShareRowProps = { url: string; title: string };

/**
 * Share links, which work without JavaScript. A script shows the hidden copy button. After copying the
 * address in `data-copy`, the script shows the text of `data-copied` as the status.
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
