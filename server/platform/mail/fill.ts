export type Values = Record<string, string>;

/**
 * Puts values in the place of `{{names}}`, once: braces inside a value mean nothing.
 * @throws Error when a name has no value, before anybody reads a letter with a gap
 */
export function fill(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for ${name}`);
    return value;
  });
}
