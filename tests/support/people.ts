import { grantRole } from "../../server/platform/accounts/roles";
import type { Database } from "../../server/platform/database/tables";
import { paths } from "~/paths";
import type { PageAnswer, Visitor } from "./pages";

export const PASSWORD = "un mot de passe";

let count = 0;

/** An address nobody has used yet. */
export const newEmail = (name = "lea") => `${name}.${process.pid}.${++count}@exemple.fr`;

export const CARDS = {
  success: "4242 4242 4242 4242",
  declined: "4000 0000 0100 0001",
  challenge: "4000 0000 0200 0000",
  pending: "4000 0000 0400 0008",
  pendingFailure: "4000 0000 0500 0007",
  timeout: "4000 0000 0700 0005",
  wrongCode: "4000 0001 0400 0007",
  refused: "4000 0002 0200 0008",
} as const;

export const cardFields = (cardNumber: string = CARDS.success) => ({
  cardNumber,
  expiry: "12/38",
  cvv: "123",
  cardholder: "Léa Martin",
  intent: "pay",
});

export const registrationFields = (email = newEmail()) => ({
  email,
  password: PASSWORD,
  terms: "on",
});

/** Registers a visitor up to the bank's page, and returns that page's path. */
export async function reachBank(visitor: Visitor, email = newEmail()): Promise<string> {
  const answer = await visitor.post("/registration", registrationFields(email));
  const { pathname } = new URL(answer.headers.get("location") ?? "", "http://nowhere.test");
  return pathname;
}

/** Registers a visitor, pays and returns from the bank. */
export async function subscribe(visitor: Visitor, email = newEmail()): Promise<PageAnswer> {
  const bank = await reachBank(visitor, email);
  return visitor.follow(await visitor.post(bank, cardFields()));
}

/** Registers a visitor as a coach, and signs them in. `database` is the one of the site. */
export async function signInCoach(
  visitor: Visitor,
  database: Database,
  email = newEmail("coach"),
): Promise<Visitor> {
  await reachBank(visitor, email);
  const account = await database
    .selectFrom("account")
    .select("uid")
    .where("identifier", "=", email)
    .executeTakeFirstOrThrow();
  await grantRole(database, account.uid, "Solène", new Date());
  await visitor.post(paths.login(), { email, password: PASSWORD });
  return visitor;
}
