import { filePaths, paths } from "~/paths";

/**
 * What needs no crawling: calls and streams, pages behind a sign-in, and filtered lists, whose articles all
 * stand in the sitemap. Pages with a secret are not here: their answers say `noindex`, which only who may
 * read them sees.
 */
const LEFT_OUT = [
  "/api/",
  paths.account(),
  paths.coaching(),
  paths.desk(),
  paths.logout(),
  paths.paymentCallback(),
  `${paths.articles()}?`,
];

export const robots = (origin: string) =>
  [
    "User-agent: *",
    "Allow: /",
    ...LEFT_OUT.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${origin}${filePaths.sitemap()}`,
    "",
  ].join("\n");
