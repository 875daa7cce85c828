import { fileURLToPath } from "node:url";
import fc from "fast-check";
import type { Page } from "playwright";
import { build } from "vite";
import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { dayOf, lastWishedDay } from "~/contract/day";
import { EMAIL_LENGTH, LOCAL_PART_LENGTH } from "~/contract/limits";
import type * as Checks from "~/forms/checks";
import { nameForm } from "~/forms/name";
import { faultText, parseForm } from "~/forms/read.server";
import { paths, serverPaths } from "~/paths";
import { deletionForm, erasureForm, takeBackForm } from "~/routes/account-data/form";
import { stopForm } from "~/routes/account-subscription/form";
import { passwordForm } from "~/routes/account/form";
import { firstDiscussionForm } from "~/routes/coaching-new-discussion/form";
import { linkForm } from "~/routes/contact-link/form";
import { cancellationForm, withdrawalForm } from "~/routes/contract-notice/form";
import { answerForm, changeForm } from "~/routes/desk-ticket/form";
import { loginForm } from "~/routes/login/form";
import { newAccountCardForm } from "~/routes/registration-payment/form";
import { registrationForm } from "~/routes/registration/form";
import { updateForm } from "~/routes/reset-password-update/form";
import { requestForm } from "~/routes/reset-password/form";
import { replyForm, ticketForm } from "~/support/form";
import entries from "~/routes";
import { read } from "../architecture/sources";
import { DAY_MS } from "../../server/platform/ports/durations";
import { newSubject, ticketLink, writeTicket } from "./conversation";
import { openAtDesk, openDesk } from "./desk";
import { openJourneys } from "./journeys";
import { newResetLink } from "./reset-link";
import { press, subscribe } from "./steps";

const { site, reader } = openJourneys();

type Person = "nobody" | "subscriber" | "newcomer" | "leaver" | "coach";
type Schemas = Record<string, z.ZodType>;

/** Each page with a form that somebody fills in: who reads it, and the schema of each form by its id. */
const PAGES: [Person, string, Schemas][] = [
  ["nobody", paths.login(), { login: loginForm }],
  ["nobody", paths.registration(), { registration: registrationForm }],
  ["nobody", serverPaths.welcome(), { registration: registrationForm }],
  ["nobody", `${paths.registrationPayment()}?utk=demo-cashback`, { payment: newAccountCardForm }],
  ["nobody", paths.resetPassword(), { reset: requestForm }],
  ["nobody", serverPaths.resetPasswordUpdate(), { reset: updateForm }],
  ["nobody", paths.cancelContract(), { notice: cancellationForm }],
  ["nobody", paths.withdrawal(), { notice: withdrawalForm }],
  ["nobody", paths.contactNewTicket(), { ticket: ticketForm }],
  ["nobody", paths.contactLink(), { link: linkForm }],
  ["nobody", "/contact/tickets/:uid", { reply: replyForm }],
  ["subscriber", paths.account(), { "profile-form": nameForm, "password-form": passwordForm }],
  ["subscriber", `${paths.accountSubscription()}?stop`, { stop: stopForm }],
  ["subscriber", paths.accountData(), { consent: takeBackForm, deletion: deletionForm }],
  ["newcomer", paths.coachingNewDiscussion(), { discussion: firstDiscussionForm }],
  ["subscriber", "/coaching/:uid", { reply: replyForm }],
  ["leaver", paths.accountData(), { erasure: erasureForm, deletion: deletionForm }],
  ["coach", "/desk/:uid", { answer: z.object({ ...answerForm.shape, ...changeForm.shape }) }],
];

/** A value that passes each check of its field. */
const RIGHT: Record<string, string> = {
  email: "lea@exemple.fr",
  password: "un mot de passe",
  passwordConfirmation: "un mot de passe",
  currentPassword: "un mot de passe",
  terms: "on",
  confirm: "on",
  consent: "on",
  erase: "on",
  firstName: "Léa",
  lastName: "d’Arc-Martin",
  cardholder: "Léa Martin",
  cardNumber: "4242 4242 4242 4242",
  expiry: "12/38",
  cvv: "123",
  name: "Léa",
  subject: "Mon ascendant",
  message: "Que dit-il de moi ?",
};

const pick = <T>(...values: T[]) => fc.constantFrom(...values);
const joined = (...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((texts) => texts.join(""));
const times = (unit: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.string({ unit, minLength, maxLength });

/** Any text, blank ones, and such as are just as long as the field allows, or a little more or less. */
function texts({ minLength, maxLength }: Field) {
  const limits = [minLength, maxLength].filter((limit) => limit > 0);
  const letter = pick("a", "é", "’", "-", ".", " ", "1", "@", "😀");
  const near = limits.map((limit) =>
    fc.tuple(letter, fc.integer({ min: -2, max: 2 })).map(([unit, more]) => {
      return unit.repeat(Math.max(0, limit + more));
    }),
  );
  const padded = joined(
    pick("", " ", "\t"),
    times(pick("a", "Ç", "b", "-", "'", "."), 0, 30),
    pick("", "  "),
  );
  return fc.oneof(
    pick("", " ", "   ", "a".repeat(201)),
    padded,
    fc.string({ unit: "grapheme" }),
    ...near,
  );
}

const label = fc.oneof(
  times(pick("a", "Z", "5", "-"), 0, 8),
  pick("exemple", "b-", "-b", "xn--exmple-cva", "a".repeat(63), "a".repeat(64), "é"),
);
const emails = joined(
  pick("", " "),
  fc.oneof(
    times(pick("a", "Z", "7", ".", "_", "-", "+", "'", "!", "é", " ", "&", "~"), 0, 12),
    times(pick("a"), LOCAL_PART_LENGTH - 1, LOCAL_PART_LENGTH + 1),
  ),
  pick("@", "@", "@", "", "@@"),
  fc.array(label, { minLength: 0, maxLength: 4 }).map((labels) => labels.join(".")),
  pick("", ".fr", ".f", ".f1", ".", ".FR", ".museum", ".é"),
  pick("", " "),
);
const longEmails = fc
  .integer({ min: EMAIL_LENGTH - 2, max: EMAIL_LENGTH + 2 })
  .map((length) => `a@${`${"b".repeat(60)}.`.repeat(5)}`.slice(0, length - 3) + ".fr");

const digit = pick(..."0123456789");
const days = fc
  .integer({ min: -400, max: 800 })
  .map((more) => dayOf(new Date(Date.now() + more * DAY_MS)));

/** Values of a field, by its name; of all others any texts. */
const VALUES: Record<string, (field: Field) => fc.Arbitrary<string>> = {
  email: (field) => fc.oneof(emails, emails, longEmails, texts(field)),
  cardNumber: (field) =>
    fc.oneof(times(fc.oneof(digit, pick(" ")), 10, 23), luhn(12, 19), luhn(9, 12), texts(field)),
  expiry: (field) =>
    fc.oneof(
      joined(
        times(digit, 0, 2),
        pick("/", "", " / ", "-"),
        pick("26", "27", "2031", "38", "3", "1999"),
      ),
      joined(pick("10", "11", "12"), pick("/"), pick("26")),
      texts(field),
    ),
  cvv: (field) => fc.oneof(times(digit, 0, 4), texts(field)),
  date: () => fc.oneof(days, pick(dayOf(new Date()), lastWishedDay(new Date()), "", "0001-01-01")),
  password: (field) => fc.oneof(pick("un mot de passe"), texts(field)),
  passwordConfirmation: (field) => fc.oneof(pick(RIGHT.password ?? ""), texts(field)),
};

/** Numbers of a card with a right check digit. */
function luhn(minLength: number, maxLength: number) {
  return times(digit, minLength - 1, maxLength - 1).map((body) => {
    const digits = [..."0123456789"].map((last) => body + last);
    const sum = (number: string) =>
      [...number].reverse().reduce((total, text, index) => {
        const value = Number(text) * (index % 2 === 0 ? 1 : 2);
        return total + (value > 9 ? value - 9 : value);
      }, 0);
    return digits.find((number) => sum(number) % 10 === 0) ?? body;
  });
}

type Field = {
  name: string;
  type: string;
  required: boolean;
  options: string[];
  minLength: number;
  maxLength: number;
};

/** What a person may enter in a field. */
function valuesOf(field: Field): fc.Arbitrary<string> {
  if (field.type === "checkbox") return pick("", "on");
  if (field.options.length > 0) return pick(...field.options);
  return (VALUES[field.name] ?? texts)(field);
}

type Exception = { why: string; covers: (field: Field, value: string) => boolean };

/** Values of each field. */
const RUNS = 250;

/** Pages that hydrate and have no posted form. */
const WITHOUT_FIELDS: Record<string, string> = { desk: "searches with a form that is not posted" };

/** Where browser and schema may differ. */
const EXCEPTIONS: Exception[] = [
  {
    why: "no domain has such a name; the browser knows it, and the schema leaves it to the mail server",
    covers: ({ name }, value) =>
      name === "email" && value.split(/[@.]/).some((label) => /-$|^.{64}/.test(label)),
  },
  {
    why: "HTML counts before the text is tidied and in units, of which an emoji has two",
    covers: ({ maxLength }, value) =>
      maxLength > 0 && value.length > maxLength && [...tidied(value)].length <= maxLength,
  },
  {
    why: "whether the box has to be ticked depends on what the API has stored, not on the form",
    covers: ({ name }) => name === "consent",
  },
  {
    why: "the dialog asks for the name with a button of its own, and may be left blank",
    covers: ({ name, required }, value) => name === "name" && !required && value.trim() === "",
  },
  {
    why: "signs that no keyboard has: what cannot be kept, or nobody can see",
    covers: (_, value) =>
      /[\0\p{Cs}]/u.test(value) || /^[\s\p{Default_Ignorable_Code_Point}]+$/u.test(value),
  },
  {
    why: "no password is that long, and one that the field cuts would be refused as a wrong one",
    covers: ({ name, maxLength }, value) =>
      /password/i.test(name) && maxLength < 0 && value.length > 200,
  },
];

const tidied = (value: string) => value.replace(/\s+/g, " ").trim();

/** In the page. */
declare const checks: typeof Checks;

/** The checks of the site's script, for pages that have not loaded it yet. */
async function buildChecks(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "~": fileURLToPath(new URL("../../app", import.meta.url)) } },
    build: {
      write: false,
      target: "esnext",
      lib: { entry: "app/forms/checks.ts", formats: ["iife"], name: "checks" },
    },
  });
  const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
  return outputs.map((file) => (file.type === "chunk" ? file.code : "")).join("");
}

const script = buildChecks();

/** Makes a reader into each person. */
const BECOME: Record<Person, (page: Page) => Promise<unknown>> = {
  nobody: () => Promise.resolve(),
  newcomer: (page) => subscribe(page),
  subscriber: (page) => subscribe(page),
  leaver: async (page) => {
    await subscribe(page);
    await openDiscussion(page);
    await page.goto(paths.accountData());
    await press(page, "Retirer mon accord");
    await page.getByText("aucun coach ne peut plus les lire, sauf").first().waitFor();
  },
  coach: (page) => openDesk(site(), page),
};

/** Opens what is to be there first, and returns the address of the page. */
const OPENED: Record<string, (page: Page) => Promise<string>> = {
  "/contact/tickets/:uid": async (page) =>
    ticketLink(site(), await writeTicket(page, newSubject())),
  [serverPaths.resetPasswordUpdate()]: async () => newResetLink(site(), await reader()),
  "/coaching/:uid": openDiscussion,
  "/desk/:uid": async (page) => {
    const subject = newSubject();
    await writeTicket(await reader(), subject);
    await openAtDesk(page, subject);
    return new URL(page.url()).pathname;
  },
};

const readers = new Map<Person, Page>();

async function openPage(person: Person, path: string): Promise<Page> {
  const page = readers.get(person) ?? (await reader());
  if (!readers.has(person)) await BECOME[person](page);
  readers.set(person, page);
  await page.goto((await OPENED[path]?.(page)) ?? path);
  await page.evaluate(await script);
  return page;
}

async function openDiscussion(page: Page) {
  await page.goto(paths.coachingNewDiscussion());
  await page.locator("[name=name]").fill("Vega");
  await press(page, "Continuer");
  await page.locator("[name=name]").waitFor({ state: "detached" });
  await page.locator("[name=subject]").fill(newSubject());
  await page.locator("[name=message]").fill("Une question");
  await page.locator("[name=consent]").check();
  await press(page, "Envoyer au coach");
  await page.locator(".message").waitFor();
  return new URL(page.url()).pathname;
}

type FilledForm = { id: string; fields: Field[]; hidden: Record<string, string> };

/** The posted forms of a page, with the fields that somebody fills in. */
const formsOf = (page: Page): Promise<FilledForm[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLFormElement>("main form[method=post]")].map((form) => {
      const controls = [...form.elements].filter(checks.isCheckedField).filter(({ name }) => name);
      const isFilled = (field: Element) =>
        field.getAttribute("type") !== "hidden" && field.getAttribute("tabindex") !== "-1";
      const fields = controls.filter(isFilled).map((field) => ({
        name: field.name,
        type: field.type,
        required: field.required,
        options: "options" in field ? [...field.options].map(({ value }) => value) : [],
        minLength: "minLength" in field ? field.minLength : -1,
        maxLength: "maxLength" in field ? field.maxLength : -1,
      }));
      const hidden = controls.filter((field) => field.getAttribute("type") === "hidden");
      const values = hidden.map(({ name, value }) => [name, value] as const);
      return { id: form.id, fields, hidden: Object.fromEntries(values) };
    }),
  );

type Entered = { value: string; code: string | null };

/** Enters each value as the browser takes it, and checks the field. */
const enter = (page: Page, id: string, name: string, values: string[]): Promise<Entered[]> =>
  page.evaluate(
    ([id, name, values]) => {
      const form = document.getElementById(id);
      const field = form instanceof HTMLFormElement && form.elements.namedItem(name);
      if (!field || field instanceof RadioNodeList || !checks.isCheckedField(field))
        throw new Error(`No field ${name}`);
      return values.map((value) => {
        const isBox = field.type === "checkbox" && field instanceof HTMLInputElement;
        if (isBox) field.checked = value !== "";
        else field.value = value;
        const code = checks.faultOf(field);
        return {
          value: isBox && !field.checked ? "" : field.value,
          code: code === null ? null : (field.dataset.faults ?? "") + code,
        };
      });
    },
    [id, name, values] as const,
  );

/** What the server says of one field. */
function serverFault(schema: z.ZodType, values: Record<string, string>, name: string) {
  const form = new FormData();
  for (const [key, value] of Object.entries(values)) if (value !== "") form.append(key, value);
  const submission = parseForm(form, schema);
  return submission.status === "error" ? (submission.error?.[name]?.[0] ?? null) : null;
}

/** A value that is too long for the field cannot be typed, so that only its refusal counts. */
function differences(field: Field, { value, code }: Entered, onServer: string | null): string[] {
  if (EXCEPTIONS.some(({ covers }) => covers(field, value))) return [];
  const inBrowser = code === null ? null : faultText([field.name], code);
  if (field.maxLength > 0 && value.length > field.maxLength && inBrowser && onServer) return [];
  if (inBrowser === onServer) return [];
  const shown = JSON.stringify(value.slice(0, 80));
  return [`${field.name} ${shown} of ${value.length}: ${inBrowser} in the browser, ${onServer}`];
}

describe("each field is checked in the browser as on the server", () => {
  it.each(PAGES)("by %s at %s", async (person, path, schemas) => {
    const page = await openPage(person, path);
    const found: string[] = [];
    for (const { id, fields, hidden } of await formsOf(page)) {
      const schema = schemas[id];
      if (!schema) {
        expect([id, fields]).toEqual([id, []]);
        continue;
      }
      const right = { ...hidden };
      for (const { name } of fields) right[name] = RIGHT[name] ?? "";
      for (const { name } of fields) {
        const [{ code } = { code: "no field" }] = await enter(page, id, name, [right[name] ?? ""]);
        expect([name, code, serverFault(schema, right, name)]).toEqual([name, null, null]);
      }
      for (const field of fields) {
        const { name } = field;
        const values = fc.sample(valuesOf(field), RUNS);
        const wrong: string[] = [];
        for (const entered of await enter(page, id, name, [...values, right[name] ?? ""])) {
          const onServer = serverFault(schema, { ...right, [name]: entered.value }, name);
          wrong.push(...differences(field, entered, onServer));
        }
        found.push(...wrong.slice(0, 3));
      }
    }
    expect(found).toEqual([]);
  });
});

describe("the list of pages", () => {
  it("holds each page that hydrates and has fields", () => {
    const pages = entries.filter(({ file }) => /hydrate: "/.test(read(`app/${file}`)));
    const listed = PAGES.map(([, path]) => path);
    const missing = pages.filter(({ path = "" }) => {
      const pattern = new RegExp(`^/${path.replace(/:\w+/g, "[^/?]+")}(?:\\?.*)?$`);
      return !(path in WITHOUT_FIELDS) && !listed.some((address) => pattern.test(address));
    });
    expect(missing.map(({ path }) => path)).toEqual([]);
  });
});
