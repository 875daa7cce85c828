/** Of each platform that a test opens, unless it names others. */
export const SECRETS = ["a secret for tests only, long enough"];

export const ORIGIN = "https://cap.example";

export const silent = { info() {}, warn() {}, error() {} };

/** What a test's platform is opened with, beside its database and its clock. */
export const usualOptions = {
  dataDir: "",
  contentDir: "server/content",
  siteTitle: "Cap Céleste",
  siteUrl: ORIGIN,
  identityFile: "tests/support/identity.yaml",
  secrets: SECRETS,
  activationDelaySeconds: 0,
  log: silent,
  jobs: false,
};
