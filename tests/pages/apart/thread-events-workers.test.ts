import { expect, it } from "vitest";
import { openThreads } from "../threads";

const { visitor, newTicket } = openThreads({ WEB_CONCURRENCY: "2" });

it("two workers open five streams of a person at most", async () => {
  const { uid, t } = await newTicket();
  const open = () => visitor().open(`/contact/tickets/${uid}/events?t=${t}`);
  const ofFirstWorker = [await open(), await open(), await open(), await open()];
  expect(ofFirstWorker.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  await Promise.all(ofFirstWorker.map(async ({ body }) => body?.cancel()));
});
