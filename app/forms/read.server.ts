import { parse, type Submission } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Honeypot, SpamError } from "remix-utils/honeypot/server";
import type { z } from "zod/v4";
import { FORM_LIMITS } from "~/contract/limits";
import { readBodyUpTo } from "~/contract/read-body.server";
import { hasText, translate } from "~/i18n/i18n.server";
import type { Visit } from "~/session/visit.server";
import { otherOwnerKey, type OtherOwner } from "~/session/owner.server";
import { markReadOnly } from "~/session/read-only.server";
import { RESTORE_FIELD } from "./carried";
import { keepKnownFields, readEntries, type PostedEntries } from "./entries.server";
import { OWNER_FIELD } from "./owner";
import { HONEYPOT_FIELD } from "./secrets";

const honeypot = new Honeypot({ nameFieldName: HONEYPOT_FIELD, validFromFieldName: null });

/** Control fields that every form may contain. */
const CONTROL_FIELDS = ["intent", HONEYPOT_FIELD, RESTORE_FIELD, OWNER_FIELD];

/** Forms with unknown fields, or made for another account, with the sentence that says so. */
const foreignForms = new WeakMap<FormData, string>();

/**
 * The posted form, reduced to the fields of these schemas. If it contained anything else, `parseForm`
 * refuses it and calls that write are blocked.
 * @throws Response 413 above the size limit, 400 when the honeypot is filled
 */
export async function readForm(request: Request, ...schemas: z.ZodObject[]): Promise<FormData> {
  const fields = schemas.flatMap(({ shape }) => Object.keys(shape));
  const sent = await readPostedEntries(request);
  return createForm(request, keepKnownFields(sent, [...CONTROL_FIELDS, ...fields]));
}

/**
 * Reads a form and checks its owner: a form made for another account is refused like one with foreign
 * fields. The forms for signing in and out have no owner.
 */
export async function readOwnForm(
  visit: Visit,
  request: Request,
  ...schemas: z.ZodObject[]
): Promise<FormData> {
  const form = await readForm(request, ...schemas);
  const other = await visit.checkOwner(takeOwner(form));
  if (other) foreignForms.set(form, ownerWords(other));
  return form;
}

/** Takes the mark of its page out of a form; null for a form that no page of ours sent. */
export function takeOwner(form: FormData): string | null {
  const mark = form.get(OWNER_FIELD);
  form.delete(OWNER_FIELD);
  return typeof mark === "string" ? mark : null;
}

/** Reads the form of another page, which is only stored for later. Its field names are not checked. */
export async function readAnyForm(request: Request): Promise<FormData> {
  return createForm(request, await readPostedEntries(request));
}

/** Whether the form must not be carried out: it has foreign fields or another owner. */
export const isForeign = (form: FormData) => foreignForms.has(form);

/** Whether something was typed in a field. */
export function isTyped(form: FormData, name: string): boolean {
  const value = form.get(name);
  return typeof value === "string" && value.trim() !== "";
}

type Parsed<S extends z.ZodType> = Submission<z.output<S>, string[]>;

/**
 * Checks a form. The result holds one French text per faulty field. A form that comes back
 * after a new sign-in is not checked: its status is undefined, and `refuse` shows it unchanged.
 */
export function parseForm<S extends z.ZodType>(form: FormData, schema: S): Parsed<S> {
  const refusal = foreignForms.get(form);
  if (refusal !== undefined) {
    const error = { "": [refusal] };
    return parse<z.output<S>, string[]>(form, { resolve: () => ({ error }) });
  }
  if (!form.has(RESTORE_FIELD)) return parseFields(form, schema);
  const { payload, reply } = parseFields(withoutMark(form), schema);
  return { status: undefined, payload, error: {}, reply };
}

/** The fields of a form that is shown again. An empty form has none, so that its page shows its own values. */
function withoutMark(form: FormData): FormData {
  const fields = new FormData();
  for (const [name, value] of form) if (name !== RESTORE_FIELD) fields.append(name, value);
  return fields;
}

function parseFields<S extends z.ZodType>(form: FormData, schema: S): Parsed<S> {
  return parseWithZod(form, {
    schema,
    error: (issue) => issue.message ?? codeOf(issue),
    formatError: (issues: z.core.$ZodIssue[]) =>
      issues.slice(0, 1).map((issue) => faultText(issue.path, namedCodeOf(issue))),
  });
}

/** The text of a field's fault: the field's own text for the code, or the general one. */
export function faultText(path: readonly PropertyKey[], code: string): string {
  const named = `errors.${path.map(String).join(".")}.${code}`;
  if (hasText("forms", named)) return translate("forms", named);
  const general = `errors.any.${code}`;
  return translate("forms", hasText("forms", general) ? general : "errors.any.invalid");
}

/** The code of an issue. Schemas of the contract keep it beside their English message. */
function namedCodeOf(issue: z.core.$ZodIssue): string {
  const code: unknown = issue.code === "custom" ? issue.params?.code : undefined;
  return typeof code === "string" ? code : issue.message;
}

function codeOf({ code, input }: { code?: string; input?: unknown }): string {
  if (input === undefined || input === null || input === "") return "missing";
  if (code === "too_small") return "too_short";
  return code === "too_big" ? "too_long" : "invalid";
}

const ownerWords = (other: OtherOwner) =>
  translate("forms", `errors.owner.${otherOwnerKey(other)}`, { email: other.email ?? "" });

async function readPostedEntries(request: Request): Promise<PostedEntries> {
  const body = await readBodyUpTo(FORM_LIMITS.bytes, request);
  if (!body) throw new Response(null, { status: 413, statusText: "Payload Too Large" });
  return readEntries(request.headers.get("content-type"), body);
}

function createForm(request: Request, sent: PostedEntries): FormData {
  const form = new FormData();
  for (const [name, value] of sent.entries) form.append(name, withPlainLines(value));
  refuseSpam(form);
  if (sent.foreign) foreignForms.set(form, translate("forms", "errors.foreign"));
  if (sent.foreign || form.has(RESTORE_FIELD)) markReadOnly(request);
  return form;
}

/** Browsers send line breaks as CR LF without script, and as LF with it. Both become LF. */
const withPlainLines = (value: string) => value.replace(/\r\n?/g, "\n");

function refuseSpam(form: FormData) {
  try {
    honeypot.check(form);
  } catch (error) {
    if (error instanceof SpamError) throw new Response(null, { status: 400, statusText: "Spam" });
    throw error;
  }
}
