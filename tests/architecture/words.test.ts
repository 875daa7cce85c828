import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { deskSubscription } from "~/contract/desk";
import {
  FILTER_STATUSES,
  isActive,
  SHOWN_STATUSES,
  SUPPORT_TYPES,
  TICKET_STATUSES,
} from "~/contract/ticket-status";
import * as errors from "~/api/errors";
import { failureErrors, type Journey } from "~/forms/failures.server";
import { parseForm } from "~/forms/read.server";
import coaching from "~/locales/fr/coaching.json";
import contact from "~/locales/fr/contact.json";
import desk from "~/locales/fr/desk.json";
import forms from "~/locales/fr/forms.json";
import flash from "~/locales/fr/flash.json";
import login from "~/locales/fr/login.json";
import registration from "~/locales/fr/registration.json";
import release from "~/locales/fr/release.json";
import support from "~/locales/fr/support.json";
import ui from "~/locales/fr/ui.json";
import { FOOTER_PAGES } from "~/paths";
import { categories } from "~/support/categories";
import { filesBelow, read } from "./sources";

describe("each enum member has exactly one text", () => {
  it.each([
    ["statuses of a request", contact.status, SHOWN_STATUSES],
    ["filters of requests", contact.filter, ["all", ...SHOWN_STATUSES]],
    ["statuses of a discussion", coaching.status, SHOWN_STATUSES],
    ["filters of discussions", coaching.filter, ["all", ...SHOWN_STATUSES]],
    ["statuses at the desk", desk.status, FILTER_STATUSES],
    ["kinds of tickets at the desk", desk.types, SUPPORT_TYPES],
    ["pages of the footer", ui.footer.pages, FOOTER_PAGES],
    ["categories of tickets", contact.categories, categories],
    [
      "subscriptions at the desk",
      desk.thread.state,
      // In place of "grace" while a payment waits for its person.
      [...deskSubscription.shape.state.options, "awaited"],
    ],
  ])("%s", (_, words, members) => {
    expect(Object.keys(words).sort()).toEqual([...members].sort());
  });
});

describe("what stands in two catalogues is one sentence", () => {
  const { paymentLink } = forms.failures;
  it.each([
    ["the bank's page after a refusal", paymentLink.other, flash.paymentLink],
    ["the bank's page without an answer", paymentLink.broken, flash.paymentLink],
    ["a message that was sent", support.sent, flash.messageSent],
  ])("%s", (_, one, other) => {
    expect(one).toBe(other);
  });
});

/** Words on the reader that agree with a man, or with both by brackets. Those on a thing agree with it. */
const MASCULINE = [
  /\bvous\b[^.;:!?]*(?<!s’est )\b(?:dé|re)?connecté(?![es])|(?:étant|rester),? connecté\b|, connecté\b/i,
  /\bvous (?:n[e’] ?)?(?:vous )?(?:êtes|étiez|serez|seriez|soyez|avez été|restez)(?: (?:pas|plus|déjà|bien|encore))* \p{L}*(?:é|ni|ri|si|u|it|sûr|prêt)(?!\p{L})/iu,
  /\bvous seuls?\b|\(e\)/i,
];

it("each text addresses men and women", () => {
  const files = filesBelow("app/locales/fr", /\.json$/);
  const texts = [...files, "server/platform/mail/letters.fr.json"];
  const lines = texts.flatMap((file) => read(file).split("\n"));
  expect(lines.filter((line) => MASCULINE.some((form) => form.test(line)))).toEqual([]);
});

it("the documents name each status of a ticket", () => {
  const rule = /^- R-3\.3 .*$/m.exec(read("docs/requirements.md"))?.[0] ?? "";
  const terms = read("docs/glossary.md")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const named = terms.flatMap((line) => (line.split("|")[1] ?? "").trim().split(", "));
  const decision = read("docs/decisions/0015-tickets-and-desk.md");
  for (const status of TICKET_STATUSES) {
    expect(rule).toContain(status);
    if (isActive(status)) expect(named).toContain(status);
    expect(decision).toContain(status);
  }
});

const modules = import.meta.glob<Record<string, unknown>>(
  ["../../app/routes/*/form.ts", "../../app/forms/*.ts", "../../app/support/form.ts"],
  { eager: true },
);
const schemas = Object.values(modules)
  .flatMap((module) => Object.values(module).flat())
  .filter((value) => value instanceof z.ZodObject);

/** Fields that nobody types. Their faults are shown as errors of the form. */
const HIDDEN = [
  "carried",
  "idempotencyKey",
  "version",
  "until",
  "uid",
  "session",
  "article",
  "internal",
  "lost",
  "inPlace",
];

const FINE = "une-orbite-paisible";
const TYPED = [
  "",
  "x",
  "\u0000",
  "  ",
  "x".repeat(20_000),
  "un-autre-passage",
  "2020-01-01",
  "2999-01-01",
  "12/20",
  "99/99",
  "4242 4242 4242 4241",
];

/** The errors of a form, with each bad value in each field and good values in the others. */
function toldBy(schema: z.ZodObject): string[] {
  const fields = Object.keys(schema.shape);
  const told = fields.flatMap((name) =>
    TYPED.flatMap((value) => {
      const form = new FormData();
      for (const other of fields) form.set(other, other === name ? value : FINE);
      return Object.entries(parseForm(form, schema).reply().error ?? {});
    }),
  );
  return told.map(([field, words]) => `${field}: ${words?.[0]}`);
}

it("each possible error of a field has a text", () => {
  expect(schemas.length).toBeGreaterThan(10);
  const told = [...new Set(schemas.flatMap(toldBy))];
  const { missing, invalid } = forms.errors.any;
  expect(told).toContain(`date: ${forms.errors.date.past}`);
  expect(told).toContain(`passwordConfirmation: ${forms.errors.passwordConfirmation.different}`);
  const general = told.filter(
    (one) => one.endsWith(`: ${missing}`) || one.endsWith(`: ${invalid}`),
  );
  expect(general.filter((one) => !HIDDEN.some((name) => one.startsWith(`${name}: `)))).toEqual([]);
});

/** One of each kind that a call can fail with. */
const FAILURES: errors.Failure[] = [
  new errors.PaymentError("", "", undefined),
  new errors.ValidationError("", [{ property: "unknown", message: "", type: "invalid" }]),
  new errors.InvalidArgumentError("", ""),
  new errors.UnauthorizedError("", ""),
  new errors.ForbiddenError("", ""),
  new errors.NotFoundError("", ""),
  new errors.ConflictError("", "", []),
  ...["idempotencyKey", "status", "version", "consent"].map(
    (property) => new errors.ConflictError("", "", [{ property, message: "", type: "invalid" }]),
  ),
  new errors.OutOfBoundError("", ""),
  new errors.RateLimitError("", "", undefined),
  new errors.BusyError("", "", undefined),
  new errors.ServerError("", ""),
  new errors.ServerError("GET /tickets", ""),
  new errors.UnexpectedStatusError("", 418, [200]),
  new errors.RequestValidationError("", ""),
  new errors.ResponseValidationError("", ""),
  new errors.ProcessError("", ""),
];

it("each failure text belongs to a possible failure", () => {
  const { any, ...journeys } = forms.failures;
  const names = Object.keys(journeys) as Journey[];
  const told = names.flatMap((journey) =>
    FAILURES.flatMap((failure) => failureErrors(journey, failure).formErrors ?? []),
  );
  const beginnings = [any, ...Object.values(journeys)].flatMap((words) =>
    Object.values(words).map((text) => text.split("{{", 1).join()),
  );
  const never = beginnings.filter((text) => !told.some((one) => one.startsWith(text)));
  expect(never).toEqual([]);
});

it("each text on the end of a left account says what may delay it", () => {
  for (const text of [login.ended.leaving, registration.left.ended, release.right]) {
    expect(text).toMatch(/supprimé au plus tôt le lendemain.+plus tard tant que/);
  }
});

it("each journey has a text for any failure", () => {
  const { any: _, ...journeys } = forms.failures;
  const silent = Object.entries(journeys).filter(([, words]) => !("other" in words));
  expect(silent).toEqual([]);
});
