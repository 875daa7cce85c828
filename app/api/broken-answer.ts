/** An external API answered something that is not to be read nor passed on; the message says what. */
export class BrokenAnswer extends Error {
  override name = "BrokenAnswer";
}
