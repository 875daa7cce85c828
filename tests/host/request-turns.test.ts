import { describe, expect, it } from "vitest";
import { requestTurns } from "../../server/host/request-queue";

describe("the time between two starts", () => {
  /** Of two pieces of work, while so many requests come in each iteration of the event loop. */
  async function iterationsBetween(requests: number) {
    let iterations = 0;
    const turns = requestTurns();
    const flood = () => {
      iterations++;
      for (let count = 0; count < requests; count++) turns.arrived();
      if (iterations < 100) setImmediate(flood);
    };
    setImmediate(flood);
    const starts = await Promise.all(
      ["192.0.2.1", "198.51.100.1"].map((subject) => turns(subject, async () => iterations)),
    );
    return (starts[1] ?? 0) - (starts[0] ?? 0);
  }

  it.each([
    [0, 2],
    [1, 32],
    [30, 3],
    [400, 1],
  ])("with %d requests in each iteration lasts for %d of them", async (requests, iterations) => {
    expect(await iterationsBetween(requests)).toBe(iterations);
  });
});
