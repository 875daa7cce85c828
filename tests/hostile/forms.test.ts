import { expect, it } from "vitest";
import { z } from "zod/v4";
import { filesBelow, read } from "../architecture/sources";
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

/** Two schemas with the same fields are sent the same requests. */
const fieldsOf = (schema: unknown) =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape).join() : "";
