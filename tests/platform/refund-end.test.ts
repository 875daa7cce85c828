import { expect, it } from "vitest";
import { REFUND } from "../../server/platform/subscriptions/refunds";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import type { Person } from "./funnel";
import { passDays, placesOf, subscriber } from "./life";

onEachDatabase("a refund that cannot be made", (open) => {
  async function refused() {
    const errors: string[] = [];
    const log = { info() {}, warn() {}, error: (_: object, line: string) => errors.push(line) };
    const sandbox = { refuseRefunds: true };
    const platform = await open({ sandbox, log });
    const person = await subscriber(platform);
    await withdraw(platform, person);
    return { platform, person, sandbox, errors };
  }

  const withdraw = (platform: TestPlatform, { email, token }: Person) =>
    platform.call("POST /withdrawals", { token, body: { name: "Léa Martin", email } });

  const status = async ({ database }: TestPlatform) =>
    (await database.selectFrom("refund").select("status").executeTakeFirst())?.status;

  it("is given up in the end and reported to the operator", async () => {
    const { platform, person, errors } = await refused();
    await passDays(platform, 4);
    expect(await status(platform)).toBe("pending");
    expect(errors).toEqual([]);
    await passDays(platform, 2);
    expect(await status(platform)).toBe("failure");
    expect(errors).toEqual(["refund given up: give it back by hand, at the provider"]);
    expect(await placesOf(platform, person.email)).toEqual([
      "bank_movement.email",
      "bank_page.email",
      "contract_mail.text",
      "contract_proof.email",
    ]);
  });

  it("succeeds once the bank accepts it", async () => {
    const { platform, sandbox, errors } = await refused();
    await passDays(platform, 1);
    sandbox.refuseRefunds = false;
    await passDays(platform, 1);
    expect(await status(platform)).toBe("success");
    expect(errors).toEqual([]);
  });
});

onEachDatabase("the profile of who withdrew", (open) => {
  it("stays two weeks while its refund is pending", async () => {
    const platform = await open();
    const { uid, email, token } = await subscriber(platform);
    const body = { name: "Léa Martin", email };
    await platform.call("POST /withdrawals", { token, body });
    // The bank never answers.
    await platform.database.deleteFrom("job").where("kind", "=", REFUND).execute();
    const status = async () => {
      const account = platform.database.selectFrom("account").where("uid", "=", uid);
      return (await account.select("status").executeTakeFirst())?.status;
    };
    await passDays(platform, 13);
    expect(await status()).toBe("active");
    await passDays(platform, 3);
    expect(await status()).toBe("deleted");
  });
});
