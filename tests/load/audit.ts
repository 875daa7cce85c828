import { paths } from "~/paths";
import { wordsOf, type ledgerOf } from "../journeys/ledger";
import { PASSWORD } from "../support/people";
import { isToldSuccess, type Person } from "./person";
import type { Scenario } from "./scenarios";

export type Customer = Person & { scenario: Scenario };

type Ledger = Awaited<ReturnType<typeof ledgerOf>>;

/** What is wrong with a person's money or access; empty when all is as it must be. */
export async function faultsOf(customer: Customer, ledger: Ledger): Promise<string[]> {
  const moved = ledger.filter(({ email }) => email === customer.email).map(wordsOf);
  const count = (words: string) => moved.filter((each) => each === words).length;
  const charges = count("charge success");
  const declines = count("charge declined");
  const others = moved.length - charges - declines;
  const faults = [
    ...(isToldSuccess(customer) ? [] : ["is never told success"]),
    ...(charges === 1 ? [] : [`is charged ${charges} times`]),
    ...(declines === (customer.scenario.declines ?? 0) ? [] : [`is declined ${declines} times`]),
    ...(others === 0 ? [] : [`has other movements: ${moved.join(", ")}`]),
    ...((await hasAccess(customer)) ? [] : ["has no access"]),
  ];
  const told = customer.told.join(", ");
  return faults.map(
    (fault) => `${customer.email} (${customer.scenario.name}) ${fault}; told: ${told}`,
  );
}

async function hasAccess({ visitor, email }: Customer) {
  await visitor.post(paths.login(), { email, password: PASSWORD });
  return (await visitor.get(paths.account())).status === 200;
}
