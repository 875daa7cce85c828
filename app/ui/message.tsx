import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { formatDateTime } from "./format";

type MessageProps = {
  id?: string;
  author: string;
  /** ISO text. */
  date: string;
  /** Written by the reader. */
  mine?: boolean | undefined;
  /** Seen by colleagues only. */
  internal?: boolean | undefined;
  /** Under way, or why it did not arrive. */
  state?: ReactNode;
  children: ReactNode;
};

/** One message of a conversation; several go into `<ol className="thread">`. */
export function Message({ id, author, date, mine, internal, state, children }: MessageProps) {
  return (
    <li
      id={id}
      className={classNames("message", mine && "message--mine", internal && "message--internal")}
    >
      <p className="message__meta">
        <bdi className="message__author">{author}</bdi>{" "}
        <time dateTime={date}>{formatDateTime(date)}</time> {state}
      </p>
      <p className="message__text" dir="auto">
        {children}
      </p>
    </li>
  );
}
