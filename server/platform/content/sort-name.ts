const LENGTH = 40;

/** « Élodie » between « Eléonore » and « Emma »: the same order on every database, byte by byte. */
export function sortName(name: string): string {
  const letters = name
    .normalize("NFD")
    .replace(/[\p{M}\p{C}]/gu, "")
    .toLowerCase();
  // Cursors carry it: the uid decides between names that are alike so far.
  return [...letters].slice(0, LENGTH).join("");
}
