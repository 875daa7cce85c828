import type { Submission } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Honeypot, SpamError } from "remix-utils/honeypot/server";
import type { z } from "zod/v4";
import { BODY_LIMIT_BYTES } from "~/contract/limits";
import { hasText, translate } from "~/i18n/i18n.server";
import { markRestoring } from "~/session/restoring.server";
import { RESTORE_FIELD } from "./carried";
import { HONEYPOT_FIELD } from "./secrets";

const honeypot = new Honeypot({ nameFieldName: HONEYPOT_FIELD, validFromFieldName: null });

/**
 * The posted form; its bytes are counted, whatever the sender says of them.
 * @throws Response 413 above the limit, 400 when the body is no form or no person sent it
 */
export async function readForm(request: Request): Promise<FormData> {
  const bytes = await readBytes(request);
  const copy = new Response(new Uint8Array(bytes), {
    headers: { "content-type": request.headers.get("content-type") ?? "" },
  });
  const form = await copy.formData().catch(() => {
    throw new Response(null, { status: 400, statusText: "Not a form" });
  });
  refuseSpam(form);
  if (form.has(RESTORE_FIELD)) markRestoring(request);
  return withPlainLines(form);
}

type Parsed<S extends z.ZodType> = Submission<z.output<S>, string[]>;

/**
 * One code per faulty field, already in the visitor's words. A form that only comes back after
 * its sender signed in anew is neither right nor wrong: `refuse` shows it as it was.
 */
export function parseForm<S extends z.ZodType>(form: FormData, schema: S): Parsed<S> {
  const submission = parse(form, schema);
  if (!form.has(RESTORE_FIELD)) return submission;
  const { [RESTORE_FIELD]: _, ...payload } = submission.payload;
  return { status: undefined, payload, error: {}, reply: submission.reply };
}

function parse<S extends z.ZodType>(form: FormData, schema: S): Parsed<S> {
  return parseWithZod(form, {
    schema,
    error: (issue) => issue.message ?? codeOf(issue),
    formatError: (issues: z.core.$ZodIssue[]) =>
      issues.slice(0, 1).map((issue) => wordsOf(issue.path, codeNamed(issue))),
  });
}

/** The text of a field's fault: `email` and `missing`, or a general one. */
export function wordsOf(path: readonly PropertyKey[], code: string): string {
  const named = `errors.${path.map(String).join(".")}.${code}`;
  if (hasText("forms", named)) return translate("forms", named);
  const general = `errors.any.${code}`;
  return translate("forms", hasText("forms", general) ? general : "errors.any.invalid");
}

/** A schema that words its fault for others names its code beside. */
function codeNamed(issue: z.core.$ZodIssue): string {
  const code: unknown = issue.code === "custom" ? issue.params?.code : undefined;
  return typeof code === "string" ? code : issue.message;
}

function codeOf({ code, input }: { code?: string; input?: unknown }): string {
  if (input === undefined || input === null || input === "") return "missing";
  if (code === "too_small") return "too_short";
  return code === "too_big" ? "too_long" : "invalid";
}

async function readBytes(request: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!request.body) return Buffer.alloc(0);
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > BODY_LIMIT_BYTES) {
      throw new Response(null, { status: 413, statusText: "Payload Too Large" });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Without script a browser sends line breaks as CR LF, with it as LF: it is the same text. */
function withPlainLines(form: FormData): FormData {
  const plain = new FormData();
  for (const [name, value] of form) {
    plain.append(name, typeof value === "string" ? value.replace(/\r\n?/g, "\n") : value);
  }
  return plain;
}

function refuseSpam(form: FormData) {
  try {
    honeypot.check(form);
  } catch (error) {
    if (error instanceof SpamError) throw new Response(null, { status: 400, statusText: "Spam" });
    throw error;
  }
}
