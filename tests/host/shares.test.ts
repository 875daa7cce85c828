import { expect, it } from "vitest";
import { shares } from "../../server/host/shares";

const MAX = { ofSubject: 10, ofNetwork: 25, ofAll: 60 };

it("what one network holds leaves room for others", () => {
  const held = shares(MAX);
  const taken = Array.from({ length: 9 }, (_, n) => held.take(`2001:db8:1:${n}00::/56`, 10));
  expect(taken.filter(Boolean)).toHaveLength(2);
  expect(held.take("192.0.2.1", 10)).toBe(true);
  expect(held.take("192.0.2.1", 1)).toBe(false);
  expect(held.take("192.0.2.2", 10)).toBe(true);
  expect(held.take("192.0.2.3", 10)).toBe(false);
});

it("room that is released can be taken again", () => {
  const held = shares(MAX);
  for (let n = 0; n < 10; n++) {
    expect(held.take("192.0.2.1", 10)).toBe(true);
    expect(held.take("192.0.2.2", 10)).toBe(true);
    held.release("192.0.2.1", 10);
    held.release("192.0.2.2", 10);
  }
});
