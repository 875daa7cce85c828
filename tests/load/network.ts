import type { Site } from "../support/site";
import { visitorOf, type Visitor } from "../support/pages";
import { paths } from "~/paths";

/** A person gives up after that many reloads. */
const MAX_TRIES = 20;
const BANK = "/api/sandbox/";

export type Network = {
  /** A browser at an address of its own, whose requests are sent again until they are answered. */
  visitor(index: number): Visitor;
  figures: {
    requests: number;
    kills: number;
    retries: number;
    /** Answers of 500 and above: a site that dies gives none. */
    errors: string[];
  };
};

/** The way to the site, which is killed each time as many orders as told have been sent. */
export function networkTo(site: Site, killsAt: readonly number[]): Network {
  const figures = { requests: 0, kills: 0, retries: 0, errors: Array<string>() };
  let orders = 0;
  let up: Promise<void> = Promise.resolve();
  const killInTime = () => {
    if (!killsAt.includes(++orders)) return;
    figures.kills++;
    up = up.then(() => site.kill()).then(() => site.restart());
  };
  const send = async (request: Request, address: string) => {
    const { pathname, search } = new URL(request.url);
    const letter = await letterOf(request, address);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      await up;
      figures.requests++;
      if (isOrder(request.method, pathname)) killInTime();
      const answer = await answerOf(new URL(pathname + search, site.origin), letter);
      if (answer && answer.status < 500) return answer;
      if (answer) figures.errors.push(`${answer.status} ${request.method} ${pathname}`);
      figures.retries++;
    }
    throw new Error(`${request.method} ${pathname} is never answered`);
  };
  return {
    figures,
    visitor: (index) => visitorOf((request) => send(request, addressOf(index))),
  };
}

async function letterOf(request: Request, address: string): Promise<RequestInit> {
  const headers = new Headers(request.headers);
  headers.set("x-forwarded-for", address);
  const body = request.method === "POST" ? await request.arrayBuffer() : null;
  return { method: request.method, headers, body, redirect: "manual" };
}

/** Null when the line breaks, also in the middle of the answer. */
async function answerOf(url: URL, letter: RequestInit): Promise<Response | null> {
  try {
    const { status, headers, ...answer } = await whole(await fetch(url, letter));
    return new Response(answer.body, { status, headers });
  } catch {
    return null;
  }
}

async function whole(response: Response) {
  const { status, headers } = response;
  return { status, headers, body: await response.text() };
}

/** Private to nobody (RFC 2544): a limit by address concerns one person only. */
const addressOf = (index: number) => `10.18.${index >> 8}.${index & 255}`;

const isOrder = (method: string, path: string) =>
  method === "POST" && (path.startsWith(BANK) || path === paths.registrationPayment());
