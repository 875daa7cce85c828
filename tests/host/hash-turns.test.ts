import { describe, expect, it } from "vitest";
import { hashTurns } from "../../server/hash-turns";

function openTurns(max: number) {
  const begun: string[] = [];
  return { begun, ...hashTurns<string>(max, (worker) => void begun.push(worker)) };
}

describe("workers of one machine", () => {
  it("hash no more at once than one process", () => {
    const { begun, wanted } = openTurns(2);
    for (const worker of ["a", "b", "a", "b"]) wanted(worker);
    expect(begun).toEqual(["a", "b"]);
  });

  it("hash in the order in which they asked", () => {
    const { begun, wanted, over } = openTurns(1);
    for (const worker of ["a", "b", "b", "a"]) wanted(worker);
    for (const worker of ["a", "b", "b"]) over(worker);
    expect(begun).toEqual(["a", "b", "b", "a"]);
  });

  it("get no more turns after an end that nobody began", () => {
    const { begun, wanted, over } = openTurns(1);
    wanted("a");
    over("b");
    wanted("b");
    expect(begun).toEqual(["a"]);
  });

  it("go on when one ends in the middle of its hashes", () => {
    const { begun, wanted, ended } = openTurns(2);
    for (const worker of ["a", "a", "a", "b", "b"]) wanted(worker);
    ended("a");
    expect(begun).toEqual(["a", "a", "b", "b"]);
  });
});
