/** What an SVG may not have, with the reason for its author. */
const REFUSED: [RegExp, string][] = [
  [/<!(?:DOCTYPE|ENTITY)/i, "declares a document type or entities"],
  [/<\?(?!xml\s)/i, "has a processing instruction"],
  [/encoding\s*=\s*["'](?!utf-8["'])/i, "is not declared as UTF-8"],
  [/<(?:[\w.-]+:)?(?:script|handler|listener)\b/i, "has a script"],
  [/<(?:[\w.-]+:)?(?:foreignObject|iframe|embed|object|audio|video)\b/i, "embeds another document"],
  [/[\s"'/]on[a-z]+\s*=/i, "has an event handler"],
  [/attributeName\s*=\s*["']\s*(?:[\w.-]+:)?(?:href|on)/i, "changes links or event handlers"],
  [/[\s"':/](?:href|src|base)\s*=(?!\s*["']#)/i, "refers to something outside of itself"],
  [/url\((?!["']?#)/i, "refers to something outside of itself"],
  [/@import/i, "imports styles"],
  [/\\/, "has a backslash, which may hide an address in a style"],
];

/**
 * Why an SVG is refused; undefined where it draws only. What a sign is spelt as makes no difference to a browser,
 * so that references to characters are resolved first.
 */
export function findSvgFault(source: string): string | undefined {
  const text = source
    .replace(/&#x([\da-f]{1,8});/gi, (_, digits: string) => characterOf(parseInt(digits, 16)))
    .replace(/&#(\d{1,10});/g, (_, digits: string) => characterOf(Number(digits)));
  return REFUSED.find(([pattern]) => pattern.test(text))?.[1];
}

const characterOf = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : "");
