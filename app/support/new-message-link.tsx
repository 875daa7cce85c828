import { useEffect, useRef, useState, type RefObject } from "react";
import { LATEST_MESSAGE } from "~/contract/latest-message";
import { useT } from "~/i18n/use-t";
import { ButtonLink } from "~/ui/button";

type NewMessageLinkProps = {
  list: RefObject<HTMLElement>;
  /** The last message of the list. */
  last: { uid: string; mine?: boolean } | undefined;
};

/** A link at the lower edge of the screen to a message that arrived below it. Gone once the message was in view. */
export function NewMessageLink({ list, last }: NewMessageLinkProps) {
  const support = useT("support");
  const [isBelow, setBelow] = useState(false);
  const known = useRef(last?.uid);
  const uid = last?.uid;
  const isMine = last?.mine;
  useEffect(() => {
    const item = list.current?.lastElementChild;
    if (!item || uid === known.current) return undefined;
    known.current = uid;
    if (isMine) return setBelow(false);
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry) return;
      setBelow(!entry.isIntersecting && entry.boundingClientRect.top > 0);
      if (entry.isIntersecting) observer.disconnect();
    });
    observer.observe(item);
    return () => observer.disconnect();
  }, [list, uid, isMine]);
  if (!isBelow) return null;
  return (
    <p className="thread-new">
      <ButtonLink small look="primary" href={`#${LATEST_MESSAGE}`}>
        {support("newMessage")}
      </ButtonLink>
    </p>
  );
}
