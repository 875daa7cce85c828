import { filePaths, paths, serverPaths } from "~/paths";

/**
 * What needs no crawling: calls and streams, pages behind a sign-in, and searches, whose articles all stand in
 * the sitemap. Pages with a secret are not here: their answers say `noindex`, which only who may
 * read them sees.
 */
const LEFT_OUT = [
  "/api/",
  paths.account(),
  paths.coaching(),
  paths.desk(),
  paths.logout(),
  serverPaths.paymentCallback(),
  `${paths.articles()}?`,
];

/** Lists of one subject are pages of their own. The longest rule that fits an address counts (RFC 9309, 2.2.2). */
const SUBJECTS = ["categories", "authors", "tags"].map((kind) => `${paths.articles()}?${kind}=`);

export const robots = (origin: string) =>
  [
    "User-agent: *",
    "Allow: /",
    ...LEFT_OUT.map((path) => `Disallow: ${path}`),
    ...SUBJECTS.map((path) => `Allow: ${path}`),
    "",
    `Sitemap: ${origin}${filePaths.sitemap()}`,
    "",
  ].join("\n");
