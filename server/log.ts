import pino from "pino";
import { config } from "../app/config.server";
import { maskSecrets, redact } from "./log/redact";

export type Logger = pino.Logger;

let known: Logger | undefined;

/** JSON lines on stdout; whatever is secret is removed here, whoever logs it. */
export function log(): Logger {
  return (known ??= createLog(config().logLevel));
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
      // By then `redact` has made plain fields of errors.
      serializers: { err: (fields: unknown) => fields },
      hooks: { streamWrite: maskSecrets },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}
