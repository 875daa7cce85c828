import type { TextFault } from "./markdown";

const MARKER = "<!-- vip -->";
const NEARLY = /<!-*\s*vip\s*-*>/i;

export type Parts =
  { opening: string; remainder: string; remainderLine: number } | { faults: TextFault[] };

/** Cuts an article at its `<!-- vip -->` line, where the free opening ends. */
export function cutAtMarker(body: string, firstLine: number, access: "vip" | "public"): Parts {
  const lines = body.split("\n");
  const marks = lines.flatMap((text, i) => (NEARLY.test(text) ? [{ text: text.trim(), i }] : []));
  const fault = (i: number, message: string) => ({ faults: [{ line: firstLine + i, message }] });
  const misspelt = marks.find(({ text }) => text !== MARKER);
  if (misspelt) return fault(misspelt.i, `write ${MARKER} exactly, alone on its line`);
  const [mark, second] = marks;
  if (access === "public") {
    if (mark) return fault(mark.i, `${MARKER} in an article with access: public`);
    return { opening: body, remainder: "", remainderLine: firstLine };
  }
  if (!mark) return fault(0, `access: vip needs one line ${MARKER} where the free part ends`);
  if (second) return fault(second.i, `a second ${MARKER}`);
  const opening = lines.slice(0, mark.i).join("\n");
  const remainder = lines.slice(mark.i + 1).join("\n");
  if (!opening.trim()) return fault(mark.i, `no free part before ${MARKER}`);
  if (!remainder.trim()) return fault(mark.i, `nothing after ${MARKER}`);
  return { opening, remainder, remainderLine: firstLine + mark.i + 1 };
}
