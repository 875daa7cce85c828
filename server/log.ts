import pino from "pino";
import { config } from "../app/config.server";
import { maskSecrets, redact } from "./log/redact";

export type Logger = pino.Logger;

let logger: Logger | undefined;

/** Logs JSON lines to stdout and removes secrets from all of them. */
export function log(): Logger {
  return (logger ??= createLog(config().logLevel));
}

export function createLog(level: string, destination?: pino.DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields),
      },
      // `redact` has already turned errors into plain fields.
      serializers: { err: (fields: unknown) => fields },
      hooks: { streamWrite: maskSecrets },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}
