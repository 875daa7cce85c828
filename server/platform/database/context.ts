import type { Database } from "./tables";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";

/** How the seller is named on card statements and receipts, in confirmations of contracts, and below mails. */
export type Merchant = {
  statementDescriptor: string;
  imprint: string;
  /** `vat`: its number. */
  seller: { name: string; seat: string; email: string; phone: string; vat: string };
  /** For answers to mails about a contract; null where the owner gives no e-mail of the seller. */
  answersTo: string | null;
  /** Name, address and website of the mediator. */
  mediator: string;
  /** Percent of VAT within prices, 0 for a seller that charges none; null where the owner does not say. */
  vatRate: number | null;
};

/** The site as mails name it: `url` is the configured origin; null where none is. */
export type ConfiguredSite = Merchant & { title: string; url: string | null };

/** The dependencies of every rule of the platform; resources extend it. */
export type Context = { db: Database; clock: Clock; log: Log; site: ConfiguredSite };
