import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { replyAddresses } from "../../server/platform/support/reply-address";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { mailFile, newMail, openAnswered, repliesIn, TICKET } from "./inbound";

/** The files name the mail they answer: tags of another secret are none. */
const SETTINGS = {
  MAIL_REPLY_TO: "bonjour@cap.example",
  SITE_URL: "https://cap.example",
  SESSION_SECRET: "a-secret-of-the-command",
};

/** The command as a mail server runs it. */
async function pipe(env: Record<string, string>, raw: Buffer, ...argv: string[]) {
  const words = argv.length > 0 ? argv : ["receive"];
  const child = spawn(process.execPath, ["server/cli.mjs", "mail", ...words], {
    env: { ...process.env, ...SETTINGS, ...env },
  });
  let [out, error] = ["", ""];
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (error += String(chunk)));
  child.stdin.on("error", () => {}).end(raw);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out: out.trim(), error: error.trim() };
}

onEachDatabase("a mail that is piped in", (open) => {
  const placeOf = ({ place }: TestPlatform) => ({
    DATABASE_URL: place.databaseUrl ?? "",
    DATA_DIR: place.dataDir,
  });

  it("has exit code 0 whatever the outcome", async () => {
    const answered = await openAnswered(open);
    const place = placeOf(answered.platform);
    const done = { code: 0, error: "" };
    expect(await pipe(place, mailFile("orange"))).toEqual({ ...done, out: "received" });
    expect(await pipe(place, mailFile("orange"))).toEqual({ ...done, out: "repeated" });
    expect(await pipe(place, mailFile("vacation"))).toEqual({
      ...done,
      out: "ignored: automatic",
    });
    const { addressOf } = replyAddresses(SETTINGS.MAIL_REPLY_TO, [SETTINGS.SESSION_SECRET]);
    const tagged = { To: addressOf(answered.contact.uid) };
    expect(await pipe(place, newMail("Bonjour", tagged))).toEqual({ ...done, out: "received" });
    const huge = newMail("x".repeat(30 * 1024 * 1024), tagged);
    expect(await pipe(place, huge)).toEqual({ ...done, out: "refused: too big" });
    expect(await repliesIn(answered)).toHaveLength(2);
  });

  it("and is about no ticket returns to its sender", async () => {
    const place = placeOf((await openAnswered(open)).platform);
    const untagged = newMail("Je renonce au contrat", { To: "bonjour@cap.example" });
    expect(await pipe(place, untagged)).toEqual({ code: 67, out: "ignored: no ticket", error: "" });
  });

  it("and cannot be read is retried once, then bounces", async () => {
    const place = placeOf((await openAnswered(open)).platform);
    const { addressOf } = replyAddresses(SETTINGS.MAIL_REPLY_TO, [SETTINGS.SESSION_SECRET]);
    const type = { To: addressOf(TICKET), "Content-Type": "text/plain; charset=iso-2022-jp" };
    const vast = newMail("a".repeat(9_500_000), type);
    expect(await pipe(place, vast)).toEqual({
      code: 75,
      out: "",
      error: "mail cannot be read: memory",
    });
    expect(await pipe(place, vast)).toEqual({
      code: 65,
      out: "",
      error: expect.stringMatching(/^set aside: memory <\S+>$/),
    });
  });

  it("by many simultaneous processes is stored once each", async () => {
    const answered = await openAnswered(open);
    const place = placeOf(answered.platform);
    const names = ["iphone", "iphone", "mutt", "mutt"];
    const ends = await Promise.all(names.map((name) => pipe(place, mailFile(name))));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(await repliesIn(answered)).toHaveLength(2);
  });
});

it("a mail is deferred while the database is away", async () => {
  const DATABASE_URL = "postgres://cap:s3cret@127.0.0.1:1/cap";
  const { code, error } = await pipe({ DATABASE_URL }, mailFile("iphone"));
  expect([code, error.split("\n")]).toEqual([75, [expect.stringContaining("DATABASE_URL")]]);
  expect(error).not.toMatch(/s3cret|6h45/);
});

it.each([
  ["no address", { MAIL_REPLY_TO: "" }],
  ["a malformed one", { MAIL_REPLY_TO: "nobody" }],
])("a mail is deferred while there is %s for replies", async (_, env) => {
  const folder = mkdtempSync(join(tmpdir(), "cap-celeste-mail-"));
  const { code, error } = await pipe({ DATA_DIR: folder, ...env }, mailFile("iphone"));
  expect([code, error]).toEqual([75, expect.stringMatching(/^MAIL_REPLY_TO [^\n]+$/)]);
  rmSync(folder, { recursive: true });
});

it("the command mail has help and refuses unknown words", async () => {
  const none = Buffer.alloc(0);
  expect(await pipe({}, none, "--help")).toMatchObject({ code: 0, error: "" });
  for (const argv of [["send"], ["receive", "now"], ["--unknown"]]) {
    const { code, error } = await pipe({}, none, ...argv);
    expect([code, error.split("\n")]).toEqual([1, [expect.any(String)]]);
  }
});
