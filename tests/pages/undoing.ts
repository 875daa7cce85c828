import { afterAll } from "vitest";
import { openLoopback } from "../app/loopback";
import { DAY_MS, ledgerOf, passTo, subscriber } from "../platform/life";
import { openPages, type PageAnswer } from "../support/pages";
import { FakeClock } from "../../server/platform/ports/clock";
import type { OpenPlatform, TestPlatform } from "../support/platform";

export type NoticeKind = "cancellations" | "withdrawals";

export const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";

/** A site whose API, with a clock that stands still, may lie about what undoing a notice would do. */
export async function openUndoing() {
  let platform: TestPlatform;
  let lie: (() => Response) | null = null;
  let loses: "requests" | "answers" | null = null;
  const unanswered = () => new Response("", { status: 504 });
  const api = await openLoopback(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/undo/preview") && lie) return lie();
    const lost = pathname.endsWith("/undo") ? loses : null;
    if (lost === "requests") return unanswered();
    const answer = await platform.fetch(request);
    return lost ? unanswered() : answer;
  });
  afterAll(() => api.close());
  const { visitor } = openPages({ API_URL: `${api.origin}/api` });
  return {
    visitor,
    /** Answers each preview with this. */
    answerPreviews: (answer: () => Response) => {
      lie = answer;
    },
    /** Carries each undoing out, and answers as a proxy that waited in vain. */
    loseAnswers: () => {
      loses = "answers";
    },
    /** Answers the same, and carries none out. */
    loseRequests: () => {
      loses = "requests";
    },
    /** Opens a new platform, which tells the truth. */
    async begin(open: OpenPlatform) {
      lie = null;
      loses = null;
      platform = await open({ clock: new FakeClock() });
      return platform;
    },
    /** A subscriber in the trial of a week. `passToDay` counts from its beginning. */
    async beginSubscribed(open: OpenPlatform, { isFree = false } = {}) {
      const platform = await this.begin(open);
      if (isFree) {
        await platform.database.updateTable("formula").set({ trial_amount: 0 }).execute();
      }
      const person = await subscriber(platform);
      const start = platform.clock.now().getTime();
      const passToDay = (days: number) =>
        passTo(platform, new Date(start + days * DAY_MS).toISOString());
      return { platform, person, passToDay };
    },
    /** A stranger's notice, carried out. */
    async declare(kind: NoticeKind, email: string, more: { date?: string } = {}) {
      await platform.call(`POST /${kind}`, { body: { name: "Zoé Kowalska", email, ...more } });
      await platform.runDueJobs();
    },
    /** What was charged after the order. */
    charges: async (email: string) => (await ledgerOf(platform, email)).slice(1),
  };
}
