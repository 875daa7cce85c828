import type { LossWords } from "~/i18n/subscription-words.server";
import { Notice } from "./notice";

/** What somebody loses, or keeps, by the button that follows. */
export const Loss = ({ words }: { words: LossWords }) =>
  words && <Notice tone={words.isLost ? "warning" : "info"}>{words.text}</Notice>;
