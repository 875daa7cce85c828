const LENGTH = 40;

/**
 * The name without accents and capitals, so that every database sorts it alike: « Élodie » before «
 * Emma ».
 */
export function sortName(name: string): string {
  const letters = name
    .normalize("NFD")
    .replace(/[\p{M}\p{C}]/gu, "")
    .toLowerCase();
  // Cursors contain it, so it is short; the uid decides between names with the same beginning.
  return [...letters].slice(0, LENGTH).join("");
}
