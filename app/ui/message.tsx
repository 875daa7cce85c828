import { formatDateTime } from "./format";

type MessageProps = {
  author: string;
  /** ISO text. */
  date: string;
  text: string;
  /** Written by the reader. */
  mine?: boolean;
};

/** One message of a conversation; several go into `<ol className="thread">`. */
export function Message({ author, date, text, mine }: MessageProps) {
  return (
    <li className={mine ? "message message--mine" : "message"}>
      <p className="message__meta">
        <span className="message__author">{author}</span>
        <time dateTime={date}>{formatDateTime(date)}</time>
      </p>
      <p className="message__text">{text}</p>
    </li>
  );
}
