import { EventEmitter } from "node:events";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLog } from "../../server/log";
import { linesTogether } from "../../server/log/output";

function open() {
  const written: string[] = [];
  const ending = new EventEmitter<{ exit: [] }>();
  const output = linesTogether({ write: (text) => void written.push(text) }, ending);
  return { written, ending, output };
}

describe("the log's output", () => {
  it("is written once for all lines of a turn, in their order", async () => {
    const { written, output } = open();
    for (const line of ["1\n", "2\n", "3\n"]) output.write(line);
    expect(written).toEqual([]);
    await setImmediate();
    expect(written).toEqual(["1\n2\n3\n"]);
    output.write("4\n");
    await setImmediate();
    expect(written).toEqual(["1\n2\n3\n", "4\n"]);
  });

  it("is written before the process ends", () => {
    const { written, ending, output } = open();
    output.write("last\n");
    ending.emit("exit");
    expect(written).toEqual(["last\n"]);
  });

  it("is written at once with a line of the level fatal", () => {
    const { written, output } = open();
    const log = createLog("info", output);
    log.info("before");
    log.fatal("the end");
    expect(written.join("")).toMatch(/before.*\n.*the end/);
  });

  it("is written in whole lines that no pipe mixes", async () => {
    const { written, output } = open();
    const line = `${"é".repeat(400)}\n`;
    for (let n = 0; n < 100; n++) output.write(line);
    await setImmediate();
    expect(written.join("")).toBe(line.repeat(100));
    for (const piece of written) {
      expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(4_096);
      expect(piece.length % line.length).toBe(0);
    }
  });

  it("loses no line and changes none", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(sizes, { maxLength: 4 }), async (turns) => {
        const { written, output } = open();
        const lines = turns.map((turn) => turn.map((size, n) => `${n}`.padEnd(size, "x") + "\n"));
        for (const turn of lines) {
          for (const line of turn) output.write(line);
          await setImmediate();
        }
        expect(written.join("")).toBe(lines.flat().join(""));
      }),
      { numRuns: 50 },
    );
  });
});
