/** The key of a form, in its field and in the data of a page that hydrates. */
const KEY =
  /(?<=name="idempotencyKey" value="|idempotencyKey\\?(?:",|&quot;,)\\?(?:"|&quot;))[\w-]{8,}/g;

export const formKeysIn = (html: string) => [...html.matchAll(KEY)].map(([key]) => key);

/** A page as all get it. */
export const withoutFormKeys = (html: string) => {
  const keys = new Set(formKeysIn(html));
  return [...keys].reduce((text, key) => text.replaceAll(key, "KEY"), html);
};
