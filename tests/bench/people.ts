import { paths } from "~/paths";
import type { Database } from "../../server/platform/database/tables";
import { SITE, visitorOf, type Visitor } from "../support/pages";
import { newEmail, signInCoach, subscribe } from "../support/people";
import type { Site } from "../support/site";

/** What a browser sends with each page. */
export const BROWSER = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "accept-language": "fr-FR,fr;q=0.9",
};

/** A browser without script, in front of the running site. */
export function visitorAt({ origin }: Pick<Site, "origin">): Visitor {
  return visitorOf(async (request) => {
    const { method } = request;
    const headers = new Headers(request.headers);
    const body = method === "POST" ? await request.arrayBuffer() : null;
    const url = request.url.replace(SITE, origin);
    return fetch(url, { method, headers, body, redirect: "manual" });
  });
}

export type Member = { visitor: Visitor; email: string; discussion: string };

/** A subscriber with a discussion of so many own messages; `discussion` is its path. */
export async function newMember(site: Site, messages: number): Promise<Member> {
  const [visitor, email] = [visitorAt(site), newEmail("mesures")];
  await subscribe(visitor, email);
  const first = { subject: "Mon thème", message: "Que dit mon ascendant ?", name: "Léa" };
  const answer = await visitor.post(paths.coachingNewDiscussion(), first);
  const discussion = answer.headers.get("location");
  if (!discussion) throw new Error(`No discussion, but ${answer.status}: ${answer.html}`);
  for (let n = 1; n < messages; n++) {
    await visitor.post(discussion, { message: `Et la lune, la ${n}e fois ?` });
  }
  return { visitor, email, discussion };
}

/** A coach, signed in. `database` is the one of the site. */
export const newCoach = (site: Site, database: Database, email?: string) =>
  signInCoach(visitorAt(site), database, email);
