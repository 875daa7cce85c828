import type { RefObject } from "react";
import type { DraftChoices } from "~/support/use-draft";

/** Choices of a draft that were not kept: it may be a note, which its person must not get as an answer. */
const DOUBT = "internal=on";

/** What a kept answer is: a note or not, and the status that follows it. */
export function answerChoices(area: RefObject<HTMLTextAreaElement>): DraftChoices {
  const controls = () => {
    const elements = area.current?.form?.elements;
    const [box, select] = [elements?.namedItem("internal"), elements?.namedItem("after")];
    return {
      box: box instanceof HTMLInputElement ? box : null,
      select: select instanceof HTMLSelectElement ? select : null,
    };
  };
  return {
    read() {
      const { box, select } = controls();
      const chosen = new URLSearchParams({ after: select?.value ?? "" });
      if (box?.checked) chosen.set("internal", "on");
      return chosen.toString();
    },
    // What was chosen before this script ran stays, but a note stays a note.
    restore(saved) {
      const chosen = new URLSearchParams(saved ?? DOUBT);
      const { box, select } = controls();
      if (box && chosen.has("internal")) box.checked = true;
      if (select && !select.value) select.value = chosen.get("after") ?? "";
    },
  };
}
