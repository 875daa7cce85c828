import { expect, it } from "vitest";
import { mergeLoaded } from "~/support/use-messages";

const thread = (uids: string) => uids.split("").map((uid) => ({ uid }));
const merge = (known: string, loaded: string) =>
  mergeLoaded(thread(known), thread(loaded))
    .map(({ uid }) => uid)
    .join("");

it.each([
  ["puts an earlier message before an own one", "ac", "abc", "abc"],
  ["keeps older messages that were asked for", "abcd", "cde", "abcde"],
  ["keeps a message that it was too early for", "abc", "ab", "abc"],
  ["adds what has nothing in common at the end", "ab", "cd", "abcd"],
  ["keeps all in a thread without messages", "", "ab", "ab"],
])("a reload %s", (_, known, loaded, merged) => {
  expect(merge(known, loaded)).toBe(merged);
});
