import { createApi, type ApiOptions } from "~/api/client";
import { overHttp } from "~/api/over-http";

/** One scripted answer of the API: a response, or a way to fail. */
export type Step = Response | ((request: Request) => Response | Promise<Response>);

/** A client of an API that gives the scripted answers in order and records the requests. */
export function scripted(steps: readonly Step[], options: Partial<ApiOptions> = {}) {
  const left = [...steps];
  const sent: Request[] = [];
  const api = createApi({
    bearer: () => undefined,
    onNextToken: () => {},
    carrier: overHttp("https://cap.example/api", async (request) => {
      sent.push(request);
      const step = left.shift();
      if (!step) throw new Error("The script is at its end");
      return step instanceof Response ? step : step(request);
    }),
    ...options,
  });
  return { api, sent };
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

/** Returns the failure of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<Error> {
  return call.then(
    () => {
      throw new Error("The call succeeded");
    },
    (error: unknown) => {
      if (error instanceof Error) return error;
      throw new Error("Not an error");
    },
  );
}
