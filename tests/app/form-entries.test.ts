import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { FORM_LIMITS } from "~/contract/limits";
import { keepKnownFields, readEntries } from "~/forms/entries.server";
import { isForeign, parseForm, readAnyForm, readForm } from "~/forms/read.server";
import { SITE } from "../support/pages";

const URL_ENCODED = "application/x-www-form-urlencoded";
const schema = z.object({ email: z.string(), message: z.string().optional() });

const post = (body: BodyInit, type = URL_ENCODED) =>
  new Request(SITE, { method: "POST", headers: { "content-type": type }, body });

function statusOf(error: unknown) {
  if (error instanceof Response) return error.status;
  throw error;
}

async function parsed(request: Request) {
  const form = await readForm(request, schema);
  return { form, submission: parseForm(form, schema) };
}

describe("a posted form", () => {
  it.each([
    ["an index above all memory", "a[4294967294]=x"],
    ["an index of its own field", "email[4294967294]=x"],
    ["a middling index", "a[300000]=x"],
    ["40,000 names", "a&".repeat(40_000)],
    ["40,000 times its own field", "email=a&".repeat(30_000)],
    ["an intent of the form library", "email=a&__intent__=x"],
    ["a state of the form library", "email=a&__state__=x"],
    ["a name 5,000 deep", `email=a&${"a.".repeat(5_000)}a=x`],
    ["a name 5,000 deep in brackets", `email=a&a${"[a]".repeat(5_000)}=x`],
    ["a prototype", "email=a&__proto__=x"],
    ["part of a prototype", "email=a&__proto__.email=x&constructor.prototype.email=x"],
    ["a field of another form", "email=a&admin=on"],
    ["a field twice", "email=a&email=b"],
    ["a long name", `email=a&${"a".repeat(1_000)}=x`],
  ])("%s is refused, and none of it is kept", async (_, body) => {
    const { form, submission } = await parsed(post(body));
    expect([isForeign(form), submission.status]).toEqual([true, "error"]);
    const { initialValue, error } = submission.reply();
    expect(error?.[""]?.[0]).toContain("autre chose");
    expect(JSON.stringify(initialValue).length).toBeLessThan(50);
    expect(Object.keys(initialValue ?? {}).filter((name) => name !== "email")).toEqual([]);
  });

  it("keeps its known fields beside unknown ones", async () => {
    const { submission } = await parsed(post("email=ada%40exemple.fr&x=1&message=Bonjour&y=2"));
    expect(submission.payload).toEqual({ email: "ada@exemple.fr", message: "Bonjour" });
  });

  it("may have as many entries as the limit", async () => {
    const most = Array.from({ length: FORM_LIMITS.entries }, (_, index) => `n${index}=x`).join("&");
    expect([...(await readAnyForm(post(most)))]).toHaveLength(FORM_LIMITS.entries);
    expect(isForeign(await readAnyForm(post(most)))).toBe(false);
    const more = await readAnyForm(post(`${most}&one=more`));
    expect([isForeign(more), [...more].length]).toEqual([true, FORM_LIMITS.entries]);
  });

  it.each(["text/plain", "application/json", "multipart/form-data; boundary=a", ""])(
    "a body of type %j is not read",
    async (type) => {
      const { form } = await parsed(post("email=a", type));
      expect([isForeign(form), [...form]]).toEqual([true, []]);
    },
  );

  it("is read up to its size limit", async () => {
    const body = `message=${"x".repeat(FORM_LIMITS.bytes)}`;
    expect(await readForm(post(body), schema).catch(statusOf)).toBe(413);
  });
});

describe("a posted body with random content", () => {
  const name = fc.oneof(
    fc.constantFrom("email", "message", "intent", "restore", "__intent__", "__state__"),
    fc.constantFrom("__proto__", "constructor", "toString", "email[0]", "email.a", "", "[]", "."),
    fc.string({ unit: "binary", maxLength: 80 }),
  );
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\0", "\r\n", "{}", "null"),
  );
  const entries = fc.array(fc.tuple(name, value), { maxLength: 120 });
  const type = fc.oneof(
    fc.constantFrom(URL_ENCODED, `${URL_ENCODED};charset=utf-8`, "multipart/form-data; boundary=-"),
    fc.stringMatching(/^[\x20-\x7e]{0,40}$/),
  );
  const known = ["email", "message", "intent", "restore", "website"];

  it("reaches the schema with known fields only", async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (given) => {
        const body = new URLSearchParams(given);
        const result = await parsed(post(body.toString())).catch(statusOf);
        if (typeof result === "number") return expect([400, 413]).toContain(result);
        const { form, submission } = result;
        const names = [...form.keys()];
        expect(known).toEqual(expect.arrayContaining(names));
        expect(new Set(names).size).toBe(names.length);
        expect(known).toEqual(expect.arrayContaining(Object.keys(submission.payload)));
        const fits = given.length <= FORM_LIMITS.entries && given.length === names.length;
        expect(isForeign(form)).toBe(!fits);
        if (!fits) expect(submission.status).toBe("error");
      }),
      { numRuns: 1_000 },
    );
  });

  it("causes no error with any bytes and type", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), type, async (bytes, contentType) => {
        const result = await parsed(post(new Uint8Array(bytes), contentType)).catch(statusOf);
        if (typeof result === "object") return;
        expect([400, 413]).toContain(result);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is read within its limits at a megabyte", () => {
    const unit = fc.constantFrom("&", "=", "%", "a&", "a=b&", "[", "a[9]&", "%00", "+", "a.", "é");
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 4 }), (units) => {
        const body = Buffer.from(units.join("").repeat(1_048_576 / units.join("").length));
        const sent = keepKnownFields(readEntries(URL_ENCODED, body), known);
        expect(sent.entries.length).toBeLessThanOrEqual(known.length);
      }),
      { numRuns: 30 },
    );
  });
});
