import { afterEach, describe } from "vitest";
import { postgresPlace } from "../support/platform";

type Variables = Record<string, string>;

/** The same claims on a site with SQLite and, where `TEST_DATABASE_URL` names one, PostgreSQL. */
export function onEachSite(subject: string, claims: (variables: () => Promise<Variables>) => void) {
  const engines = process.env.TEST_DATABASE_URL ? ["SQLite", "PostgreSQL"] : ["SQLite"];
  describe.each(engines)(`${subject}, on %s`, (engine) => {
    const cleanups: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0)) await cleanup();
    });
    claims(async (): Promise<Variables> => {
      if (engine === "SQLite") return {};
      const { options, remove } = await postgresPlace();
      cleanups.push(remove);
      return { DATABASE_URL: options.databaseUrl };
    });
  });
}
