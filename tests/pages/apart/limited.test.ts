import { afterAll, describe, expect, it } from "vitest";
import { RateLimitError, ServerError } from "~/api/errors";
import { failureErrors, type Journey } from "~/forms/failures.server";
import errorTexts from "~/locales/fr/error.json";
import texts from "~/locales/fr/forms.json";
import { formatWait } from "~/i18n/format";
import { openLoopback } from "../../app/loopback";
import { openPages } from "../../support/pages";
import { newEmail, registrationFields } from "../../support/people";
import { ticketFields } from "../threads";

/** An API that refuses writes and support calls by a limit, and answers 404 to all others. */
const api = await openLoopback((request) => {
  const isRead = request.method === "GET" && !request.url.includes("/support/");
  const init = { status: isRead ? 404 : 429, headers: { "retry-after": "2520" } };
  return Response.json({ message: "Non" }, init);
});
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

const notice = { name: "Ada", email: newEmail(), intent: "confirm" };

describe("a limited visitor sees how long to wait", () => {
  it.each([
    ["/reset-password", { email: newEmail() }],
    ["/contact/link", { email: newEmail() }],
    ["/contact/new-ticket", ticketFields()],
    ["/registration", registrationFields()],
    ["/withdrawal", notice],
    ["/cancel-contract", { ...notice, intent: "notify" }],
  ])("at %s", async (path, fields) => {
    const page = await visitor().post(path, fields);
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "2520"]);
    const told = page.dom.querySelector("[role=alert]")?.text;
    expect(told).toMatch(/Réessayez dans 42\sminutes/);
    expect(told).not.toContain("quelques");
  });

  it("on the error page", async () => {
    const page = await visitor().get("/contact/tickets/abc?t=0123456789abcdef");
    expect(page.status).toBe(429);
    expect(page.dom.querySelector("main")?.text).toMatch(/Réessayez dans 42\sminutes/);
  });
});

describe("the wait", () => {
  const failures: Record<string, Record<string, string>> = texts.failures;

  it("is part of every text for limited visitors", () => {
    const without = Object.values(failures)
      .flatMap(({ rateLimit }) => rateLimit ?? [])
      .concat(errorTexts.status["429"].text)
      .filter((text) => !text.includes("{{wait}}"));
    expect(without).toEqual([]);
  });

  it("is named by the limit texts of journeys only", () => {
    const journeys = Object.keys(failures).filter((name) => name !== "any") as Journey[];
    for (const journey of journeys) {
      const limited = failureErrors(journey, new RateLimitError("POST /x", "Non", 2520));
      expect(limited.formErrors?.join()).toMatch(/dans 42\sminutes/);
      expect(limited.retryAfter).toBe(2520);
      const other = failureErrors(journey, new ServerError("POST /x", "Non"));
      expect(other.formErrors?.join()).not.toMatch(/\d\sminutes/);
    }
  });

  it("of a read says nothing of what a journey sends", () => {
    const limited = failureErrors("payment", new RateLimitError("GET /offers", "Non", 2520));
    expect(limited.formErrors?.join()).toMatch(
      /^Trop de demandes.*dans 42\sminutes.*cet envoi n’a rien débité/,
    );
  });

  it.each([
    [1, "1 minute"],
    [61, "2 minutes"],
    [3599, "1 heure"],
    [3600, "1 heure"],
    [3601, "61 minutes"],
    [86_400, "24 heures"],
  ])("of %i seconds is %s", (seconds, words) => {
    expect(formatWait(seconds).replace(/\s/g, " ")).toBe(words);
  });
});
