import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { hiddenFields, openPages } from "../../support/pages";
import { newEmail, registrationFields } from "../../support/people";
import { openElsewhere } from "../elsewhere";

/** Whether its API fails to tell offers, and loses the answers to registrations. */
let [isOfferUnread, isAnswerLost] = [false, false];
let registered: unknown[] = [];

const { url, close } = await openElsewhere(async (request, platform) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/api/offers" && isOfferUnread) return new Response(null, { status: 503 });
  if (pathname !== "/api/registrations/register") return platform.fetch(request);
  registered.push(await request.clone().json());
  const answer = await platform.fetch(request);
  return isAnswerLost ? new Response(null, { status: 503 }) : answer;
});
afterAll(close);

const { visitor } = openPages({ API_URL: url });

beforeEach(() => {
  [isOfferUnread, isAnswerLost] = [false, false];
  registered = [];
});

/** A visitor of a partner with the form open, and the form as it is sent. */
async function openForm() {
  const reader = visitor();
  const page = await reader.get(paths.registration({ utk: "demo-cashback" }));
  const fields = { ...hiddenFields(page), ...registrationFields(newEmail()) };
  return { reader, fields };
}

describe("a page whose offer cannot be read", () => {
  it.each([paths.registration(), serverPaths.welcome(), paths.registrationPayment()])(
    "is answered 503 at %s",
    async (path) => {
      isOfferUnread = true;
      const page = await visitor().get(`${path}?utk=demo-cashback`);
      expect([page.status, page.dom.querySelector("title")?.text]).toEqual([
        503,
        expect.stringContaining("Erreur"),
      ]);
      expect(page.dom.querySelector("main [role=alert]")?.text).toContain("pas pu lire");
    },
  );
});

describe("a registration whose offer cannot be read", () => {
  it("is the same as with its offer", async () => {
    const { reader, fields } = await openForm();
    await reader.post(paths.registration(), fields);
    isOfferUnread = true;
    const shown = { ...fields, email: newEmail() };
    await visitor().post(paths.registration(), shown);
    const [usual, unread] = registered;
    expect(usual).toMatchObject({ formula: "vip-cashback", terms: expect.any(String) });
    expect(unread).toEqual({ ...(usual as object), identifier: shown.email });
  });

  it("is one with the same form sent again", async () => {
    const { reader, fields } = await openForm();
    [isOfferUnread, isAnswerLost] = [true, true];
    expect((await reader.post(paths.registration(), fields)).status).toBe(503);
    [isOfferUnread, isAnswerLost] = [false, false];
    const answer = await reader.post(paths.registration(), fields);
    expect([answer.status, registered.length]).toEqual([303, 2]);
    expect(registered[1]).toEqual(registered[0]);
  });
});
