import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { tokenOf } from "../app/people";
import { openPages } from "../support/pages";
import { openLyingApi, subscription } from "./lying-api";

const api = await openLyingApi();
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url });

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2027-03-02T09:00:00Z") });
});
afterAll(() => vi.useRealTimers());

it("a derived renewal keeps the contract's day", async () => {
  api.signIn(tokenOf("signed in"));
  const reader = visitor();
  await reader.post("/login", { email: "ada@exemple.fr", password: "un mot de passe" });
  api.become({
    getSubscription: {
      payload: {
        ...subscription,
        startedDateTime: "2027-01-31T09:00:00Z",
        expirationDateTime: "2027-02-28T09:00:00Z",
        graceDateTime: "2027-03-07T09:00:00Z",
        dueReason: "declined",
      },
    },
  });
  api.tell({ call: "getOffer", how: 404 });
  const { dom } = await reader.get("/registration/payment");
  const price = dom.querySelector(".price")?.text ?? "";
  expect(price).toMatch(/31\smars\s2027/);
  expect(price).not.toMatch(/28\smars/);
});
