import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "../support/port";
import { runHost } from "../support/site";

const folder = mkdtempSync(join(tmpdir(), "cap-celeste-faults-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function fault(variables: Record<string, string>) {
  const { code, stderr } = await runHost({ DATA_DIR: folder, PORT: "0", ...variables });
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  return stderr;
}

describe("a start that cannot succeed ends with one line", () => {
  it("names a variable that is malformed", async () => {
    expect(await fault({ PORT: "80000" })).toMatch(/^PORT is not valid: give a number from 0 to/);
  });

  it("keeps a faulty value out of the message", async () => {
    expect(await fault({ MAIL_URL: "mail://user:s3cret@host" })).not.toContain("s3cret");
  });

  it("names each faulty variable on a line of its own", async () => {
    const { code, stderr } = await runHost({ PORT: "x", CARD_FORM: "x" });
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(2);
  });

  it("names a port that is taken", async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, resolve));
    expect(await fault({ PORT: String(port) })).toMatch(
      /^PORT: \d+ is already in use; .*free port/,
    );
    other.close();
  });

  it("names an address that is not this machine's", async () => {
    expect(await fault({ HOST: "192.0.2.1" })).toMatch(/^HOST: cannot listen on 192\.0\.2\.1/);
  });

  it("names a data folder that cannot be written", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(await fault({ DATA_DIR: join(file, "data") })).toMatch(/^DATA_DIR: cannot write to /);
  });

  it("names a default formula that does not exist", async () => {
    expect(await fault({ DEFAULT_FORMULA: "nope" })).toMatch(
      /^DEFAULT_FORMULA: there is no formula nope; give one that there is: vip-mensuel$/m,
    );
  });

  it("names a database that does not answer", async () => {
    const url = `postgres://user:s3cret@127.0.0.1:${await freePort()}/name`;
    const line = await fault({ DATABASE_URL: url });
    expect(line).toMatch(/^DATABASE_URL: /);
    expect(line).not.toContain("s3cret");
  });
});
