import { paths } from "~/paths";
import { CARDS } from "../support/people";
import {
  arriveAtBank,
  arriveAtForm,
  formOf,
  lookAgain,
  pathTo,
  read,
  sendForm,
  sendToBank,
  type CardForm,
  type Person,
} from "./person";

/** Comes to the site and pays, in a way of its own. */
export type Scenario = {
  name: string;
  /** Cards refused on the way. */
  declines?: number;
  visit(person: Person): Promise<unknown>;
};

/** The same request twice at the same time, and both answers read. */
const twice = (send: () => ReturnType<typeof sendForm>, person: Person) =>
  Promise.all([1, 2].map(async () => read(person, await send())));

const pay = async (person: Person, form: CardForm) => read(person, await sendForm(person, form));

const payAtBank = async (person: Person, bank: string) =>
  read(person, await sendToBank(person, bank));

/** Each is over within seconds. */
export const QUICK: readonly Scenario[] = [
  {
    name: "double click at the bank",
    async visit(person) {
      const bank = await arriveAtBank(person);
      await twice(() => sendToBank(person, bank), person);
    },
  },
  {
    name: "double click on the card form",
    async visit(person) {
      const [form] = await arriveAtForm(person, CARDS.success);
      if (form) await twice(() => sendForm(person, form), person);
    },
  },
  {
    name: "reload of the post",
    async visit(person) {
      const [form] = await arriveAtForm(person, CARDS.success);
      if (!form) return;
      await sendForm(person, form);
      await pay(person, form);
    },
  },
  {
    name: "back and sent again",
    async visit(person) {
      const [form] = await arriveAtForm(person, CARDS.success);
      if (!form) return;
      await pay(person, form);
      await person.visitor.get(paths.registrationPayment());
      await pay(person, form);
    },
  },
  {
    name: "back to the bank and sent again",
    async visit(person) {
      const bank = await arriveAtBank(person);
      await payAtBank(person, bank);
      await payAtBank(person, bank);
    },
  },
  {
    name: "two tabs with the card form",
    async visit(person) {
      const forms = await arriveAtForm(person, CARDS.success, CARDS.success);
      await Promise.all(forms.map((form) => pay(person, form)));
    },
  },
  {
    name: "a tab at the bank, one with the card form",
    async visit(person) {
      const bank = await arriveAtBank(person);
      const form = formOf(await person.visitor.get(paths.registrationPayment()));
      await Promise.all([payAtBank(person, bank), pay(person, form)]);
    },
  },
  {
    name: "replayed return from the bank",
    async visit(person) {
      const bank = await arriveAtBank(person);
      await lookAgain(person);
      if (person.told.length > 0) throw new Error("An address alone told the end of the payment");
      await payAtBank(person, bank);
      await Promise.all([lookAgain(person), lookAgain(person)]);
    },
  },
  {
    name: "pending card",
    async visit(person) {
      const [form] = await arriveAtForm(person, CARDS.pending);
      if (form) await twice(() => sendForm(person, form), person);
    },
  },
  {
    name: "pending card at the bank",
    async visit(person) {
      const bank = await arriveAtBank(person);
      await twice(() => sendToBank(person, bank, CARDS.pending), person);
    },
  },
  {
    name: "declined, then good card",
    declines: 1,
    async visit(person) {
      const [form] = await arriveAtForm(person, CARDS.declined);
      if (form) await pay(person, formOf(await sendForm(person, form)));
    },
  },
  {
    name: "challenge confirmed twice",
    async visit(person) {
      const [form] = await arriveAtForm(person, CARDS.challenge);
      if (!form) return;
      const bank = pathTo(await sendForm(person, form));
      await twice(() => person.visitor.post(bank, { intent: "confirm" }), person);
    },
  },
];

/** Half a minute passes before this card is decided. */
const TIMEOUT: Scenario = {
  name: "bank that does not answer",
  async visit(person) {
    const [form] = await arriveAtForm(person, CARDS.timeout);
    if (form) await twice(() => sendForm(person, form), person);
  },
};

export const ALL: readonly Scenario[] = [...QUICK, TIMEOUT];
