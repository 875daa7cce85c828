import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { formatDateTime } from "../i18n/format";

type MessageProps = {
  id?: string;
  author: string;
  /** ISO text. */
  date: string;
  /** Written by the reader. */
  mine?: boolean | undefined;
  /** Id of its first line, for links that lead to whatever message is the last. */
  anchor?: string | undefined;
  /** A note that only coaches see. */
  internal?: boolean | undefined;
  /** What stands below the text. */
  below?: ReactNode;
  /** Status beside the date: being sent, or an internal note. */
  state?: ReactNode;
  children: ReactNode;
};

/** One message of a conversation; several go into `<ol className="thread">`. */
export function Message({ id, author, date, mine, anchor, internal, ...rest }: MessageProps) {
  const { state, below, children } = rest;
  return (
    <li
      id={id}
      className={classNames("message", mine && "message--mine", internal && "message--internal")}
    >
      <p id={anchor} className="message__meta">
        <bdi className="message__author">{author}</bdi>{" "}
        <time dateTime={date}>{formatDateTime(date)}</time> {state}
      </p>
      <p className="message__text" dir="auto">
        {children}
      </p>
      {below}
    </li>
  );
}
