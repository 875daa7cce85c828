import { paths, serverPaths } from "~/paths";
import { hiddenFields, type PageAnswer, type Visitor } from "../support/pages";
import { cardFields, PASSWORD, registrationFields } from "../support/people";

export type Person = {
  email: string;
  visitor: Visitor;
  /** What result pages said, in order. */
  told: ("success" | "failure")[];
};

const CARD_FORM = paths.registrationPayment();

/** Registers and stands before the bank's page. An answer that was lost leaves an account. */
export async function arriveAtBank({ visitor, email }: Person): Promise<string> {
  const first = await visitor.post(paths.registration(), registrationFields(email));
  if (first.status === 303) return pathTo(first);
  await visitor.post(paths.login(), { email, password: PASSWORD });
  return pathTo(await visitor.post(paths.registration(), { intent: "pay" }));
}

/** Registers and stands before the site's own card form, once for each card. */
export async function arriveAtForm(person: Person, ...numbers: string[]) {
  await arriveAtBank(person);
  const forms = [];
  for (const number of numbers) forms.push(formOf(await person.visitor.get(CARD_FORM), number));
  return forms;
}

export type CardForm = ReturnType<typeof formOf>;

/** What is sent by the form of a page: its key names the attempt. */
export function formOf(page: PageAnswer, number?: string) {
  const hidden = hiddenFields(page);
  const { idempotencyKey } = hidden;
  if (!idempotencyKey)
    throw new Error(`No card form, but ${page.status}: ${page.html.slice(0, 500)}`);
  return {
    ...hidden,
    ...cardFields(number),
    idempotencyKey,
    firstName: "Léa",
    lastName: "Martin",
  };
}

export async function sendForm(person: Person, form: CardForm) {
  return person.visitor.post(CARD_FORM, form);
}

export async function sendToBank(person: Person, bank: string, number?: string) {
  return person.visitor.post(bank, cardFields(number));
}

/** Follows an answer to its page and takes in what that says. */
export async function read(person: Person, answer: PageAnswer) {
  const page = await person.visitor.follow(answer);
  const said = page.dom.querySelector("h1")?.text ?? "";
  if (page.path === serverPaths.registrationResult("failure")) person.told.push("failure");
  if (said.includes("le paiement a réussi")) person.told.push("success");
  return page;
}

export const lookAgain = async (person: Person) =>
  read(
    person,
    await person.visitor.get(serverPaths.paymentCallback({ cashback: false, success: true })),
  );

export const isToldSuccess = ({ told }: Person) => told.includes("success");

export function pathTo(answer: PageAnswer): string {
  const location = answer.headers.get("location");
  if (!location) throw new Error(`No way on, but ${answer.status}: ${answer.html.slice(0, 500)}`);
  return new URL(location, "http://nowhere.test").pathname;
}
