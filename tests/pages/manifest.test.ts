import { expect, it } from "vitest";
import { isPageHandle } from "~/session/page-handle";
import { filesBelow, read } from "../architecture/sources";
import { openPages } from "../support/pages";

const { routes } = openPages();

it("the browser's list has exactly the routes that React takes over", () => {
  const [file = ""] = filesBelow("build/client/assets", /manifest-\w+\.js$/);
  const listed = [...read(file).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
  const hydrating = Object.values(routes()).flatMap((route) => {
    const handle: unknown = route?.module.handle;
    return route && isPageHandle(handle) && handle.hydrate ? [route.id] : [];
  });
  expect(hydrating.length).toBeGreaterThan(10);
  expect(listed.sort()).toEqual(["root", ...hydrating].sort());
});
