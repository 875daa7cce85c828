import { get } from "node:http";
import { afterEach, expect, it } from "vitest";
import { currentSpan } from "../../server/current-work";
import { inSpan, type Traces } from "../../server/traces";
import type { NewSpan, Span } from "../../server/traces/span";
import { gate } from "../support/gate";
import { openHost, type TestHost } from "../support/host";

/** Traces that are kept here: the names of spans that began, and of those that ended. */
function keptTraces() {
  const begun: string[] = [];
  const ended: string[] = [];
  const begin = ({ name }: NewSpan): Span => {
    begun.push(name);
    let isRecording = true;
    return {
      traceId: "1".repeat(32),
      isRecording: () => isRecording,
      beginChild: begin,
      set() {},
      fail() {},
      end() {
        isRecording = false;
        ended.push(name);
      },
      headers: () => ({}),
    };
  };
  const traces: Traces = { begin, stop: async () => true };
  return { traces, begun, ended };
}

let host: TestHost | undefined;
afterEach(() => {
  host?.server.closeAllConnections();
  host?.server.close();
});

const call: NewSpan = { name: "GET /content/tags", kind: "internal", attributes: {} };

it("a stream of events ends its span when it begins, and traces nothing of what it reads", async () => {
  const { traces, begun, ended } = keptTraces();
  const later = gate();
  let reading: Promise<unknown> | undefined;
  const work = () => inSpan(call, async () => undefined);
  host = await openHost({
    traces,
    pages: async () => {
      await work();
      reading = later.passed.then(work);
      const body = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(10)) });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  const asked = get({ host: "127.0.0.1", port: host.port, path: "/" });
  await new Promise((resolve) => asked.once("response", resolve));
  expect(ended).toEqual([call.name, "GET other"]);
  later.open();
  await reading;
  expect(begun).toEqual(["GET other", call.name]);
  asked.destroy();
});

it("a page ends its span when it is sent", async () => {
  const { traces, ended } = keptTraces();
  const seen: (string | undefined)[] = [];
  host = await openHost({
    traces,
    pages: () => {
      seen.push(currentSpan()?.traceId);
      expect(ended).toEqual([]);
      return new Response("page");
    },
  });
  await fetch(`http://127.0.0.1:${host.port}/`);
  await expect.poll(() => ended).toEqual(["GET other"]);
  expect(seen).toEqual(["1".repeat(32)]);
});
