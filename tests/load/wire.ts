import type { Site } from "../support/site";

/** A sender gives up after that many times. */
const MAX_TRIES = 30;

type Sent = { address: string; headers?: Record<string, string>; body?: unknown };
export type Answered = {
  status: number;
  // Read loosely: a wrong guess fails the claim itself.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
};

/** Calls of the site's API that are sent again, with the same key, until they are answered. */
export type Wire = {
  call(line: string, sent: Sent): Promise<Answered>;
  figures: { posts: number; kills: number; retries: number; errors: string[] };
};

/** The wire to a site that is killed each time as many posts as told have been sent. */
export function wireTo(site: Site, killsAt: readonly number[]): Wire {
  const figures = { posts: 0, kills: 0, retries: 0, errors: Array<string>() };
  let up: Promise<void> = Promise.resolve();
  const count = () => {
    if (!killsAt.includes(++figures.posts)) return;
    figures.kills++;
    up = up.then(() => site.kill()).then(() => site.restart());
  };
  const call = async (line: string, sent: Sent) => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      await up;
      if (line.startsWith("POST")) count();
      const answer = await answerOf(site, line, sent);
      if (answer && answer.status < 500) return answer;
      if (answer) figures.errors.push(`${answer.status} ${line}`);
      figures.retries++;
    }
    throw new Error(`${line} is never answered`);
  };
  return { call, figures };
}

/** Null when the line breaks, also in the middle of the answer. */
async function answerOf(site: Site, line: string, { address, headers, body }: Sent) {
  const [method = "GET", path = ""] = line.split(" ");
  try {
    const response = await fetch(`${site.origin}/api${path}`, {
      method,
      headers: {
        ...headers,
        "x-forwarded-for": address,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) as unknown };
  } catch {
    return null;
  }
}
