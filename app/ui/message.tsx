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
  /** A note that only coaches see. */
  internal?: boolean | undefined;
  /** Status beside the date: being sent, or an internal note. */
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
