const MAX_TEXTS = 500;
/** Longer texts are computed each time, so that nobody fills the memory with them. */
const MAX_LENGTH = 256;

/** The function with its results for the last texts: it must give the same for the same text. */
export function remembered<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, { value: T }>();
  return (text) => {
    const found = known.get(text);
    if (found) return found.value;
    const value = compute(text);
    if (text.length > MAX_LENGTH) return value;
    // Forgetting all is simpler than finding the oldest text, and happens rarely.
    if (known.size >= MAX_TEXTS) known.clear();
    known.set(text, { value });
    return value;
  };
}
