export type Values = Record<string, string>;

/**
 * Replaces `{{name}}` by its value, once: braces inside a value are not replaced.
 * @throws Error when a name has no value, so that no letter is sent with a gap
 */
export function fill(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for ${name}`);
    return value;
  });
}
