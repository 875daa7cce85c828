import { ledgerOf } from "../journeys/ledger";
import { newEmail } from "../support/people";
import { startSite } from "../support/site";
import { faultsOf, type Customer } from "./audit";
import { crowd } from "./crowd";
import { networkTo, type Network } from "./network";
import { isToldSuccess, lookAgain } from "./person";
import { ALL, QUICK, type Scenario } from "./scenarios";

const AT_ONCE = 40;
/** Longer than the bank takes for any card (`timeout`: 30 s). */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 250;
/** About as many as are sent for one visitor: an order and its repetition, now and then only one. */
const ORDERS = 1.6;

type Rush = {
  visitors: number;
  kills: number;
  /** Without the card that takes half a minute. */
  quick?: boolean;
  /** Of the site: the database, where it is not the embedded one. */
  variables?: Record<string, string>;
};

/** Lets a crowd pay while the site is killed; prints the figures, gives all that went wrong. */
export async function rush({ visitors, kills, quick = false, variables = {} }: Rush) {
  const start = Date.now();
  const site = await startSite({ LOG_LEVEL: "warn", ...variables });
  try {
    const network = networkTo(site, moments(visitors, kills));
    const customers = customersOf(network, visitors, quick ? QUICK : ALL);
    const unfinished = await visitAll(customers);
    await waitForBank(customers);
    const ledger = await ledgerOf(site, variables);
    const wrong: string[] = [];
    await crowd(customers, AT_ONCE, async (customer) => {
      wrong.push(...(await faultsOf(customer, ledger)));
    });
    const { errors, ...counts } = network.figures;
    const charges = ledger.filter(({ status }) => status === "success").length;
    const figures = { visitors, ...counts, charges, seconds: secondsSince(start) };
    const offenders = [...unfinished, ...errors, ...wrong];
    print(figures, offenders, site.output());
    return { figures, offenders };
  } finally {
    await site.remove();
  }
}

/** When to kill, counted in orders: spread over the rush. */
const moments = (visitors: number, kills: number) =>
  Array.from({ length: kills }, (_, index) =>
    Math.ceil((visitors * ORDERS * (index + 1)) / (kills + 1)),
  );

function customersOf(network: Network, visitors: number, scenarios: readonly Scenario[]) {
  const customers = Array.from({ length: visitors }, (_, index): Customer[] => {
    const scenario = scenarios[index % scenarios.length];
    const visitor = network.visitor(index);
    return scenario ? [{ email: newEmail("crowd"), scenario, visitor, told: [] }] : [];
  });
  // Who waits longest comes first: nobody need wait for them alone.
  return customers.flat().sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)));
}

const isSlow = ({ scenario }: Customer) => !QUICK.includes(scenario);

/** @returns what kept anybody from going through */
async function visitAll(customers: readonly Customer[]): Promise<string[]> {
  const unfinished: string[] = [];
  await crowd(customers, AT_ONCE, async (customer) => {
    try {
      await customer.scenario.visit(customer);
    } catch (error) {
      unfinished.push(`${customer.email} (${customer.scenario.name}): ${String(error)}`);
    }
  });
  return unfinished;
}

/** Who was not told success yet looks again, as the page before them does. */
async function waitForBank(customers: readonly Customer[]) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const waiting = customers.filter((customer) => !isToldSuccess(customer));
    if (waiting.length === 0 || Date.now() > deadline) return;
    await crowd(waiting, AT_ONCE, async (customer) => void (await lookAgain(customer)));
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

const secondsSince = (start: number) => Math.round((Date.now() - start) / 1000);

function print(figures: object, offenders: readonly string[], log: string) {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  if (offenders.length) process.stdout.write(`${offenders.join("\n")}\n${log}`);
}
