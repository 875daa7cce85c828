import type { Part } from "./parts.server";

/** What somebody wrote, as text: nothing in it is markup but its addresses. */
export function MessageText({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      {parts.map(({ text, href }, index) =>
        href ? (
          <a key={index} href={href} rel="nofollow noreferrer">
            {text}
          </a>
        ) : (
          text
        ),
      )}
    </>
  );
}
