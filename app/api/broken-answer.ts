/** An external API gave an answer that must not be read or passed on. The message says why. */
export class BrokenAnswer extends Error {
  override name = "BrokenAnswer";
}
