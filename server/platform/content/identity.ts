import { readFileSync } from "node:fs";
import { z } from "zod/v4";
import type { ConfiguredSite, Merchant } from "../database/context";
import { readYaml } from "./front-matter";
import demo from "./identity-demo.fr.json";

const line = z
  .string({ error: "give a text in quotation marks" })
  .trim()
  .min(1, "give a text")
  .max(200, "give at most 200 characters")
  .regex(/^\P{Cc}*$/u, "give one line")
  // Pages would show it as it stands: values are put into places once.
  .refine(
    (text) => !text.includes("{{"),
    "give the value itself, not a place such as {{seller.name}}",
  );

const website = z
  .url({ protocol: /^https$/, error: "give an address such as https://mediateur.example" })
  .max(200, "give at most 200 characters");

/** Some of these names, each with its value. */
const group = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const names = Object.keys(shape).join(", ");
  return z.strictObject(shape, { error: `give some of ${names}, each with its value` }).partial();
};

const file = group({
  seller: group({
    name: line,
    form: line,
    seat: line,
    register: line,
    vat: line,
    phone: line,
    email: z.email("give an e-mail address"),
  }),
  publisher: group({ name: line, role: line }),
  host: group({ name: line, address: line, phone: line }),
  mediator: group({ name: line, address: line, website }),
  statement: line,
  /** Has no demonstration value: only the owner knows it, and receipts without it say "TTC" alone. */
  vatRate: z.number("give a number of percent such as 20").min(0).max(30).optional(),
});

type File = z.output<typeof file>;

/** The seller, publisher, host and mediator, in the words of legal pages and mails. */
export type Identity = typeof demo;

export type KnownIdentity = {
  identity: Identity;
  /** Names such as `seller.register` that still hold a demonstration value. */
  missing: string[];
  vatRate?: number | undefined;
  /** Name of the site. */
  title?: string;
};

/**
 * Reads the file of the environment's `IDENTITY_FILE`. What it leaves out is filled with demonstration
 * values, and named.
 * @throws Error in one sentence when the file cannot be read, or naming every fault with its line
 */
export function readIdentity(path: string | undefined): KnownIdentity {
  const given = path === undefined ? {} : parse(path, read(path));
  const identity = {
    seller: { ...demo.seller, ...given.seller },
    publisher: { ...demo.publisher, ...given.publisher },
    host: { ...demo.host, ...given.host },
    mediator: { ...demo.mediator, ...given.mediator },
    statement: given.statement ?? demo.statement,
  };
  return { identity, missing: missingIn(given), vatRate: given.vatRate };
}

type Named = {
  siteTitle: string;
  siteUrl?: string | undefined;
  identityFile?: string | undefined;
};

/** @throws Error as `readIdentity` */
export function configuredSite({ siteTitle, siteUrl, identityFile }: Named): ConfiguredSite {
  const { identity, missing, vatRate = null } = readIdentity(identityFile);
  const answersTo = missing.includes("seller.email") ? null : identity.seller.email;
  return { title: siteTitle, url: siteUrl ?? null, ...merchantOf(identity), answersTo, vatRate };
}

/** The company in one line, its name on card statements, and what confirmations of contracts name. */
const merchantOf = ({
  seller,
  statement,
  mediator,
}: Identity): Omit<Merchant, "vatRate" | "answersTo"> => ({
  statementDescriptor: statement,
  imprint: [seller.name, seller.form, seller.seat, seller.register].join(", "),
  seller: {
    name: seller.name,
    seat: seller.seat,
    email: seller.email,
    phone: seller.phone,
    vat: seller.vat,
  },
  mediator: [mediator.name, mediator.address, mediator.website].join(", "),
});

function missingIn(given: File): string[] {
  const names = ["seller", "publisher", "host", "mediator"] as const;
  const missing = names.flatMap((name) =>
    Object.keys(demo[name])
      .filter((key) => !Object.hasOwn(given[name] ?? {}, key))
      .map((key) => `${name}.${key}`),
  );
  return given.statement === undefined ? [...missing, "statement"] : missing;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new Error(`IDENTITY_FILE cannot be read (${reason}): ${path}`);
  }
}

function parse(path: string, source: string): File {
  const answer = readYaml(source, file);
  if ("data" in answer) return answer.data;
  const faults = answer.faults.map(({ line, message }) => `line ${line}: ${message}`);
  throw new Error(`IDENTITY_FILE is not valid: ${path}, ${faults.join("; ")}`);
}
