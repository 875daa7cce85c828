import { describe, expect, it } from "vitest";
import { createLog } from "../../server/log";

function logged(fields: object, message = "test") {
  const lines: string[] = [];
  createLog("info", { write: (line) => void lines.push(line) }).info(fields, message);
  return lines.join("");
}

const SECRETS = ["authorization", "Cookie", "set-cookie", "password", "currentPassword", "token"];
const CARD = ["cardNumber", "cvv", "creditCard", "nextToken", "clientSecret"];

describe("the log", () => {
  it.each([...SECRETS, ...CARD])("hides %s at any depth", (key) => {
    expect(logged({ [key]: "hidden" })).not.toContain("hidden");
    expect(logged({ call: { body: [{ [key]: "hidden" }] } })).not.toContain("hidden");
  });

  it("hides headers that are secret", () => {
    expect(logged({ headers: new Headers({ cookie: "hidden", accept: "*/*" }) })).toMatch(
      /^(?!.*hidden).*"accept"/,
    );
  });

  it("masks a card number in any text", () => {
    const line = logged(
      { err: new Error("row 4242 4242 4242 4242") },
      "paid with 4242424242424242",
    );
    expect(line).not.toMatch(/4242 ?4242/);
    expect(line).toContain("[card …4242]");
  });

  it("names a mail by its Message-ID, digits and all", () => {
    const messageId = "<4242424242424242.4242424242424242@4242424242424242>";
    const line = logged({ mail: 7, messageId, reason: "4242424242424242" }, "4242424242424242");
    expect(line).toContain(`"messageId":"${messageId}"`);
    expect(line.replace(messageId, "")).not.toContain("4242424242424242");
  });

  it.each([
    "/api/sandbox/pay/hidden",
    "https://cap.example/contact/tickets/a?t=hidden",
    "/reset-password/update?a=b&token=hidden&c=d",
    "/registration?utk=hidden.data",
    "/contact/tickets%3Ft=hidden",
    "/reset-password/update%3Ftoken%3Dhidden",
    "/api//sandbox/pay/hidden",
    "/%2Fapi/sandbox/pay%2Fhidden",
  ])("masks the secret of the address %s", (path) => {
    const line = logged({ path, err: new Error(`failed at ${path}`) }, `page ${path}`);
    expect(line).not.toContain("hidden");
    expect(line).toContain(path.split("hidden")[0]);
  });

  it("keeps numbers that are not card numbers", () => {
    expect(logged({ order: "1234567890123456" })).toContain("1234567890123456");
  });

  it("includes type, message, stack and cause of errors", () => {
    const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const err = Object.assign(new Error("failed", { cause }), { request: { body: "hidden" } });
    const line = logged({ err });
    expect(line).toMatch(/"message":"failed".*"stack".*"code":"ECONNREFUSED"/);
    expect(line).not.toContain("hidden");
  });
});
