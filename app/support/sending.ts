/**
 * A text field whose texts are sent one after the other. Who sends may type on: the field is empty at once, and
 * what is not known as sent comes back before what was typed since.
 */
export type Sending =
  /** `unsent` begins the field: a text that is not known as sent. */
  | { step: "idle"; unsent: string }
  /** The form takes `text` from the field, which holds `rest` afterwards. */
  | { step: "posted"; text: string; rest: string }
  /** `queued` goes next, if nobody changes it until then. */
  | { step: "onTheWay"; text: string; queued: string };

export const IDLE: Sending = { step: "idle", unsent: "" };

/** What follows for the field. */
type Next = { sending: Sending; field: string };

/**
 * Somebody sends what is in the field.
 * @returns `isPost` false while another text is on its way, or about to be
 */
export function press(sending: Sending, field: string): Next & { isPost: boolean } {
  switch (sending.step) {
    // The second press of a double click.
    case "posted":
      return { sending, field, isPost: false };
    case "onTheWay":
      return { sending: { ...sending, queued: field }, field, isPost: false };
    case "idle": {
      // A text that may have arrived goes alone, under the key that it had.
      const [text, rest] = splitText(field, sending.unsent);
      return { sending: { step: "posted", text, rest }, field: text, isPost: true };
    }
  }
}

/** The form has taken its text. What was behind it goes next. */
export function depart({ text, rest }: Sending & { step: "posted" }): Next {
  return { sending: { step: "onTheWay", text, queued: rest }, field: rest };
}

/**
 * The answer is there, or none will come.
 * @returns `isNextPost` true when what is in the field was sent off meanwhile
 */
export function arrive(
  { text, queued }: Sending & { step: "onTheWay" },
  field: string,
  isSent: boolean,
): Next & { isNextPost: boolean } {
  return {
    sending: { step: "idle", unsent: isSent ? "" : text },
    field: isSent ? field : joinTexts(text, field),
    isNextPost: isSent && queued !== "" && field === queued,
  };
}

/** What would be lost with the page, because it may not have arrived or is not sent. */
export function unsentText(sending: Sending, field: string): string {
  switch (sending.step) {
    case "idle":
      return field;
    case "posted":
      return joinTexts(sending.text, sending.rest);
    case "onTheWay":
      return joinTexts(sending.text, field);
  }
}

const BREAK = "\n\n";

/** A text that was not sent and what was typed after it as one, without blank ones. */
export const joinTexts = (first: string, second: string): string =>
  [first, second].filter((text) => text.trim()).join(BREAK);

/** The reverse of `joinTexts`, as long as the first text is unchanged. */
function splitText(text: string, first: string): [first: string, second: string] {
  const start = first + BREAK;
  return first && text.startsWith(start) ? [first, text.slice(start.length)] : [text, ""];
}
