import { useState } from "react";
import { addressesOf, decodeHandoff, embeddedHandoff, encodeHandoff, ELEMENT_ID } from "./handoff";
import { useRender } from "./render-context";

/**
 * The handoff of a page that hydrates. In the browser it renders the same elements again, from the
 * document. A page that hydrates at once fetches its scripts while it is read.
 */
export function EmbeddedHandoff() {
  const { handoff } = useRender();
  const [json] = useState(() => {
    if (handoff === undefined) return embeddedHandoff();
    return handoff && encodeHandoff(handoff);
  });
  if (!json) return null;
  const { hydrate, modules } = handoff ?? decodeHandoff(json);
  return (
    <>
      {hydrate === "atOnce" &&
        addressesOf(modules).map((href) => <link key={href} rel="modulepreload" href={href} />)}
      <script id={ELEMENT_ID} type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
    </>
  );
}
