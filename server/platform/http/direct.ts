import type { EndpointName } from "../../../app/contract/endpoints";
import { answerCall, type Answered, type AnswerOptions, type Sent } from "./answer";
import { readJsonText } from "./decode";

/** A call from within this process: what a request would carry, without a request. */
export type DirectCall = Omit<Sent, "readBody" | "headers"> & {
  name: EndpointName;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: unknown;
};

/** Answers a call from within this process as it is answered over HTTP. */
export const answerDirectly = (
  { name, headers, body, ...sent }: DirectCall,
  options: AnswerOptions,
): Promise<Answered> =>
  answerCall(
    name,
    {
      ...sent,
      headers: () => headers,
      // The body passes the same limits as one that comes as text, and nobody shares its parts.
      readBody: async (shape, limits) =>
        shape.body && readJsonText(Buffer.from(JSON.stringify(body) ?? ""), limits),
    },
    options,
  );
