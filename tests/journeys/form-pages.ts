import entries from "~/routes";
import { read } from "../architecture/sources";

/** Where the plain address shows no form. */
const QUERIES: Record<string, string> = {
  "registration/payment": "?utk=demo-cashback",
  "account/subscription": "?stop",
};

/** Each page that hydrates when touched, from the table of routes and the declarations. */
export const FORM_PAGES = entries.flatMap(({ path = "", file }) => {
  const declaration = read(`app/${file}`);
  if (!declaration.includes('hydrate: "whenTouched"')) return [];
  return [{ path: `/${path}${QUERIES[path] ?? ""}`, secured: /secured: true/.test(declaration) }];
});
