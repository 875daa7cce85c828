import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "~/config.server";

const MALFORMED = {
  PORT: "80000",
  HOST: "two words",
  WEB_CONCURRENCY: "many",
  DRAIN_DELAY: "301",
  SITE_URL: "cap.example",
  SESSION_SECRET: "one,,two",
  API_URL: "ftp://api.example/api",
  DATABASE_URL: "mysql://host/name",
  MAIL_URL: "http://mail.example",
  MAIL_FROM: "nobody",
  MAIL_REPLY_TO: "Cap <bonjour@cap.example>",
  MAIL_INBOX_URL: "imap://mail.example",
  PAYMENT_GATEWAY: "cash",
  STRIPE_SECRET_KEY: "pk_live_abc",
  STRIPE_WEBHOOK_SECRET: "secret",
  STRIPE_API_BASE: "http://stripe.example",
  CARD_FORM: "maybe",
  DEFAULT_FORMULA: "vip mensuel",
  ACTIVATION_DELAY: "soon",
  RENEWAL_CLOCK: "0",
  GTM_ID: "UA-1",
  GTM_AUTH: "a b",
  GTM_PREVIEW: "1",
  TRANSLATION_SCRIPT_URL: "http://translate.example/a.js",
  PAYMENT_ORIGINS: "https://pay.example/page",
  REDIRECT_PATH: "//elsewhere.example",
  SECURED_BASE: "account",
  PROHIBITED_ROUTES: "/login",
  LOG_LEVEL: "loud",
  OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "grpc://collector:4317",
  OTEL_EXPORTER_OTLP_HEADERS: "api-key",
  OTEL_SERVICE_NAME: "cap".repeat(100),
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=a=b",
  OTEL_TRACES_SAMPLER: "sometimes",
  OTEL_TRACES_SAMPLER_ARG: "10%",
};

describe("the configuration", () => {
  it("names the tag manager's environment only with a container", () => {
    const environment = { GTM_AUTH: "x", GTM_PREVIEW: "env-1" };
    expect(readConfig(environment).tagManager).toBeUndefined();
    expect(readConfig({ GTM_ID: "GTM-ABC123", ...environment }).tagManager).toEqual({
      id: "GTM-ABC123",
      auth: "x",
      preview: "env-1",
    });
  });

  it("is complete without any variable", () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      siteTitle: "Cap Céleste",
      paymentGateway: "sandbox",
      cardForm: true,
      defaultFormula: "vip-mensuel",
      redirectPath: "/account",
      securedBases: ["/account", "/coaching", "/article", "/desk"],
      logLevel: "info",
    });
  });

  it("treats an empty variable as absent", () => {
    expect(readConfig({ PORT: "", API_URL: " " })).toMatchObject({ port: 3000, apiUrl: undefined });
  });

  it("removes final slashes and paths from addresses", () => {
    const config = readConfig({
      SITE_URL: "https://cap.example/",
      API_URL: "https://api.example/api/",
    });
    expect(config.siteUrl).toBe("https://cap.example");
    expect(config.apiUrl).toBe("https://api.example/api");
    expect(config.paymentOrigins).toEqual(["https://api.example", "https://cap.example"]);
  });

  it("lets forms lead to the bank of an external API", () => {
    const PAYMENT_ORIGINS = "https://pay.example, https://3ds.example";
    expect(readConfig({ PAYMENT_ORIGINS }).paymentOrigins).toEqual([
      "https://pay.example",
      "https://3ds.example",
    ]);
    for (const wrong of [
      "https:",
      "*",
      "https://*.example/",
      "pay.example",
      "https://a.example,",
    ]) {
      expect(() => readConfig({ PAYMENT_ORIGINS: wrong })).toThrow("PAYMENT_ORIGINS is not valid");
    }
  });

  it.each(Object.entries(MALFORMED))("names %s when it is malformed", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} is not valid: give `));
  });

  it.each([
    [{ MAIL_INBOX_URL: "imaps://cap:secret@mail.example" }, /^MAIL_REPLY_TO .* MAIL_INBOX_URL$/],
    [{ MAIL_REPLY_TO: "service.clients@cap.example" }, /^MAIL_REPLY_TO .* at most 10 signs/],
    [{ MAIL_REPLY_TO: "a@b.fr", MAIL_INBOX_URL: "imap://a:%zz@b.fr" }, /^MAIL_INBOX_URL .* user/],
  ])("names what is missing in the mailbox settings %j", (variables, mend) => {
    expect(() => readConfig(variables)).toThrow(mend);
  });

  it("keeps the figures off the port of visitors", () => {
    expect(readConfig({})).toMatchObject({ metricsPort: undefined, metricsHost: "127.0.0.1" });
    expect(readConfig({ METRICS_PORT: "9464" }).metricsPort).toBe(9464);
    expect(() => readConfig({ PORT: "9464", METRICS_PORT: "9464" })).toThrow(
      /^METRICS_PORT is not valid: give another port than PORT/,
    );
  });

  it.each([
    [{}, false],
    [{ OTEL_SERVICE_NAME: "cap" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector/v1/traces" }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_SDK_DISABLED: "TRUE" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_TRACES_EXPORTER: "none" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_TRACES_EXPORTER: "otlp" }, true],
    // What another service of this machine sends otherwise is no fault of a site that sends nothing.
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_TRACES_EXPORTER: "zipkin" }, false],
  ])("sends traces when a collector is named: %j, %s", (variables, sendsTraces) => {
    expect(readConfig(variables)).toMatchObject({ sendsTraces });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /^OTEL_EXPORTER_OTLP_PROTOCOL .* http\/json/],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/protobuf" }, /^\w+TRACES_PROTOCOL .* http\/json/],
    [{ OTEL_TRACES_EXPORTER: "console" }, /^OTEL_TRACES_EXPORTER .* give otlp or none/],
  ])("refuses to send traces in a form that it does not have: %j", (variables, mend) => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = "http://collector:4318";
    expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...variables })).toThrow(mend);
  });

  it("names every fault at once", () => {
    const read = () => readConfig({ PORT: "x", LOG_LEVEL: "x", CARD_FORM: "x" });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/^PORT .*\n(?:CARD_FORM|LOG_LEVEL) .*\n(?:CARD_FORM|LOG_LEVEL) .*$/);
  });
});

describe("the secret of the session", () => {
  let DATA_DIR: string;
  beforeEach(() => {
    DATA_DIR = mkdtempSync(join(tmpdir(), "cap-celeste-secret-"));
  });
  afterEach(() => rmSync(DATA_DIR, { recursive: true }));

  it("is the list in the variable", () => {
    expect(readConfig({ SESSION_SECRET: "new, old" }).secrets).toEqual(["new", "old"]);
  });

  it("is created once, readable by its owner only", () => {
    const file = join(DATA_DIR, "session-secret");
    const [secret] = readConfig({ DATA_DIR }).secrets;
    expect(readFileSync(file, "utf8")).toBe(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readConfig({ DATA_DIR }).secrets).toEqual([secret]);
  });

  it("is refused when its file is empty", () => {
    writeFileSync(join(DATA_DIR, "session-secret"), "");
    expect(() => readConfig({ DATA_DIR }).secrets).toThrow(/delete the file/);
  });
});
