import type { Part } from "./parts.server";

/** The text of a message. Nothing in it becomes markup except links. */
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
