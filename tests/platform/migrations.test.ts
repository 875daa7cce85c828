import { sql } from "kysely";
import { expect, it } from "vitest";
import { MIGRATIONS } from "../../server/platform/database/migrate";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const NAMES = Object.keys(MIGRATIONS);

const forget = ({ database }: TestPlatform, name: string) =>
  sql`delete from kysely_migration where name = ${name}`.execute(database);

onEachDatabase("a database", (open) => {
  it("that ran all migrations starts again", async () => {
    const platform = await open();
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration order by name`.execute(platform.database);
    expect(rows.map(({ name }) => name)).toEqual(NAMES);
    await platform.reopen();
  });

  it.each([NAMES[0], "0035-contact-senders", NAMES.at(-2)])(
    "that skipped %s is refused by that name",
    async (name = "") => {
      const platform = await open();
      await forget(platform, name);
      await expect(platform.reopen()).rejects.toThrow(
        `The database skipped migration ${name} but ran later ones`,
      );
    },
  );

  it("that ran a migration of another release is refused by its name", async () => {
    const platform = await open();
    await sql`insert into kysely_migration (name, timestamp) values ('0036-other', '')`.execute(
      platform.database,
    );
    await expect(platform.reopen()).rejects.toThrow("(0036-other is unknown here)");
  });
});
