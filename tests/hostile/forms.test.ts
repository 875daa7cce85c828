import { expect, it } from "vitest";
import { z } from "zod/v4";
import { filesBelow, read } from "../architecture/sources";
import { FORMS } from "../pages/posted-forms";
import { forms } from "./forms";

const SCHEMAS = import.meta.glob<Record<string, unknown>>(
  ["../../app/routes/*/form.ts", "../../app/support/form.ts", "../../app/forms/name.ts"],
  { eager: true },
);

it("each page that takes a form has a row", () => {
  const pages = filesBelow("app/routes", /\/route\.tsx?$/)
    .filter((path) => /export (?:async )?function action\b/.test(read(path)))
    .map((path) => path.split("/")[2]);
  const rows = new Set(forms.map(({ route }) => route));
  expect(pages.filter((page) => page !== "api" && !rows.has(page ?? ""))).toEqual([]);
});

it("each schema of a form has a row", () => {
  const known = forms.map(({ schema }) => Object.keys(schema.shape).join());
  const missing = Object.entries(SCHEMAS).flatMap(([file, exported]) =>
    Object.entries(exported)
      .filter(([, schema]) => schema instanceof z.ZodObject)
      .filter(([, schema]) => !known.includes(fieldsOf(schema)))
      .map(([name]) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Schemas with the same fields get the same requests, so one row is enough for them. */
const fieldsOf = (schema: unknown) =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape).join() : "";

/** Fields that no list of posts needs: scripts send them, or a test of their own posts them. */
const POSTED_ELSEWHERE = [
  "carried",
  "lost",
  "inPlace",
  "idempotencyKey",
  "consent",
  "/login: subject",
  "/login: message",
  "/coaching/new-discussion: name",
  "/coaching/new-discussion: birth",
  "/coaching/: until",
  "/desk/: internal",
  "/desk/: after",
];

it("each field of a form is typed in a test of failures", () => {
  const pageOf = (path: string) =>
    path.replace(/\?.*/, "").replace(/^(\/(?:coaching|desk|contact\/tickets)\/)(?!new-).*/, "$1");
  const missing = forms.flatMap(({ path, schema }) => {
    const typed = FORMS.filter(([, at]) => pageOf(at) === pageOf(path)).map(([, , given]) => given);
    if (typed.length === 0) return [];
    return Object.keys(schema.shape)
      .filter((name) => !typed.some((given) => name in given))
      .filter((name) => !POSTED_ELSEWHERE.includes(name))
      .map((name) => `${pageOf(path)}: ${name}`)
      .filter((field) => !POSTED_ELSEWHERE.includes(field));
  });
  expect(missing).toEqual([]);
});
