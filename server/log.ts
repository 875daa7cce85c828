import cluster from "node:cluster";
import pino from "pino";
import { config } from "../app/config.server";
import { fieldsOfWork } from "./current-work";
import { linesTogether } from "./log/output";
import { maskSecrets, redact } from "./log/redact";

export type Logger = pino.Logger;

let logger: Logger | undefined;

/** Logs JSON lines to stdout, each with its request or job, and removes secrets from all of them. */
export function log(): Logger {
  return (logger ??= createLog(config().logLevel));
}

export function createLog(level: string, destination?: pino.DestinationStream): Logger {
  return pino(
    {
      level,
      base: cluster.worker ? { worker: cluster.worker.id } : null,
      timestamp: momentField,
      mixin: fieldsOfWork,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields),
      },
      // `redact` has already turned errors into plain fields.
      serializers: { err: (fields: unknown) => fields },
      hooks: { streamWrite: maskSecrets },
    },
    destination ?? linesTogether(pino.destination({ dest: 1, sync: true })),
  );
}

let moment = { ms: 0, field: "" };

/** The time of a line (ISO), as text once for all lines of a millisecond. */
function momentField(): string {
  const ms = Date.now();
  if (ms !== moment.ms) moment = { ms, field: `,"time":"${new Date(ms).toISOString()}"` };
  return moment.field;
}
