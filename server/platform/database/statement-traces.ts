import type { LogConfig } from "kysely";
import { currentSpan } from "../../current-work";
import { remembered } from "../../remembered";
import { traces } from "../../traces";
import { typeOf } from "../../traces/span";

/** Lists of values make statements as long as the lists. */
const MAX_TEXT = 1_000;

/**
 * Traces each statement that a request or job waits for: its text, in which parameters are placeholders, and never
 * their values. An empty list when no traces are sent: kysely then does nothing more for a statement than before.
 */
export function tracesOf(system: "sqlite" | "postgresql"): LogConfig {
  if (!traces()) return [];
  return (event) => {
    const parent = currentSpan();
    if (!parent?.isRecording()) return;
    const text = event.query.sql;
    const { name, ...target } = targetOf(text.slice(0, MAX_TEXT));
    const span = parent.beginChild({
      name,
      kind: "client",
      startedAt: performance.now() - event.queryDurationMillis,
      attributes: { "db.system.name": system, "db.query.text": text.slice(0, MAX_TEXT), ...target },
    });
    if (event.level === "error") span.fail(typeOf(event.error));
    span.end();
  };
}

/** What a statement does, and to which table first: as `SELECT article`. */
const targetOf = remembered((text) => {
  const operation = (/^\s*(\w+)/.exec(text)?.[1] ?? "").toUpperCase();
  const table = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text)?.[1];
  return {
    name: table ? `${operation} ${table}` : operation,
    "db.operation.name": operation,
    ...(table && { "db.collection.name": table }),
  };
});
