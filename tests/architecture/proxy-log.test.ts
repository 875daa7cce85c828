import { expect, it } from "vitest";
import { read } from "./sources";

const HANDBOOK = read("docs/operations.md");
const servers = [...HANDBOOK.matchAll(/^server \{\n([^]*?)^\}/gm)].map(([, body = ""]) => body);

it("no nginx of the documentation writes queries, which carry the secrets of mailed links", () => {
  expect(servers.length).toBeGreaterThan(1);
  const formats = new Map(
    [...HANDBOOK.matchAll(/^log_format (\w+) '(.*)';$/gm)].map(([, name, text]) => [name, text]),
  );
  for (const server of servers) {
    const [, format] = /access_log \S+ (\w+);/.exec(server) ?? [];
    expect(formats.get(format)).toMatch(/\$uri/);
    expect(formats.get(format)).not.toMatch(/\$(?:request\b|request_uri|args|query_string|http_)/);
    expect(server).toMatch(/error_log \S+ crit;/);
  }
});
