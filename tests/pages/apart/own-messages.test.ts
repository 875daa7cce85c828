import { afterEach, describe, expect, it } from "vitest";
import type { PageAnswer } from "../../support/pages";
import { openFailingCalls } from "../failing-calls";
import { T } from "../posted-forms";

const { api, requestAs } = await openFailingCalls();
afterEach(() => {
  api.become();
  api.tell();
});

const DAY = "2026-11-20T09:00:00Z";
const said = (uid: string, contact: { uid: string; name: string }) => ({
  uid,
  date: DAY,
  content: `De ${contact.name}`,
  contact,
});
/** Messages as the specification has them, which do not say who of the two wrote them. */
const thread = {
  payload: {
    uid: "t1",
    date: DAY,
    title: "Mon thème",
    status: "waiting" as const,
    contact: { email: "ada@exemple.fr", name: "Ada" },
    messages: [said("m1", { uid: "k7", name: "Ada" }), said("m2", { uid: "c1", name: "Solène" })],
  },
  page: { hasNextPage: false, endCursor: null },
};

const own = ({ dom }: PageAnswer) =>
  dom.querySelectorAll(".message").map((one) => [one.id, one.classList.contains("message--mine")]);

describe("a thread of an API that does not say who wrote a message", () => {
  it("tells the person's own by the coachingUid", async () => {
    api.become({
      getTicket: thread,
      getUser: { payload: { uid: "ada", email: "ada@exemple.fr", coachingUid: "k7" } },
    });
    expect(own(await requestAs("subscriber", "/coaching/t1"))).toEqual([
      ["m1", true],
      ["m2", false],
    ]);
  });

  it("is told as unread when the account cannot be read", async () => {
    api.become({ getTicket: thread });
    api.tell({ call: "getUser", how: 503 });
    const page = await requestAs("subscriber", "/coaching/t1");
    expect([page.status, own(page)]).toEqual([503, []]);
  });

  it("tells the person's own by the name on a contact page", async () => {
    api.become({ getTicket: thread });
    expect(own(await requestAs("nobody", `/contact/tickets/t1?${T}`))).toEqual([
      ["m1", true],
      ["m2", false],
    ]);
  });
});
