import type { Platform } from "../../server/platform";
import { openElsewhere } from "./elsewhere";

type Rule = {
  method: string;
  path: RegExp;
  /** Of the answer in place of the right one. */
  status: number;
  headers?: Record<string, string>;
  /** Whether the call is carried out first; otherwise it never arrives. */
  carriedOut: boolean;
  /** Only of who is signed in. */
  asSomebody?: boolean;
};

export type LosingApi = {
  url: string;
  platform: Platform;
  /** Carries out the next such call, and loses its answer. */
  loseAnswer(method: string, path: RegExp): void;
  /** Answers such calls with this status until told otherwise; they do not arrive. */
  refuse(method: string, path: RegExp, status: number, headers?: Record<string, string>): void;
  /** Refuses such calls to whoever brings a token. */
  refuseTokens(path: RegExp): void;
  answerRight(): void;
  close(): Promise<void>;
};

/** A real API elsewhere, reached over a network that loses answers. */
export async function openLosingApi(): Promise<LosingApi> {
  let rule: Rule | undefined;
  const { url, platform, close } = await openElsewhere(async (request, platform) => {
    const { pathname } = new URL(request.url);
    const told = rule?.method === request.method && rule.path.test(pathname) ? rule : undefined;
    if (!told || (told.asSomebody && !request.headers.has("authorization")))
      return platform.fetch(request);
    if (told.carriedOut) {
      rule = undefined;
      await (await platform.fetch(request)).text();
    }
    const { status, headers = {} } = told;
    return Response.json({ message: "L’API n’a pas répondu" }, { status, headers });
  });
  return {
    url,
    platform,
    loseAnswer: (method, path) => void (rule = { method, path, status: 503, carriedOut: true }),
    refuse: (method, path, status, headers = {}) =>
      void (rule = { method, path, status, headers, carriedOut: false }),
    refuseTokens: (path) =>
      void (rule = { method: "GET", path, status: 401, carriedOut: false, asSomebody: true }),
    answerRight: () => void (rule = undefined),
    close,
  };
}
