/** A statement may bind 32,766 values in SQLite and 65,535 in PostgreSQL, and some bind a list several times. */
const LENGTH = 500;

/** Cuts a list that strangers can make as long as they like into parts that one statement can bind. */
export function* slicesOf<T>(all: readonly T[]): Iterable<T[]> {
  for (let start = 0; start < all.length; start += LENGTH) yield all.slice(start, start + LENGTH);
}
