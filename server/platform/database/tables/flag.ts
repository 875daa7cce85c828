/** Neither engine's own: SQLite has no booleans. */
export type Flag = 0 | 1;
