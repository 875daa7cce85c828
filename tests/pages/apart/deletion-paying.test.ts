import { afterAll, expect, it } from "vitest";
import type { Payment } from "~/contract/subscriptions";
import { paths } from "~/paths";
import { tokenOf } from "../../app/people";
import { openPages } from "../../support/pages";
import { openLyingApi } from "../lying-api";

const api = await openLyingApi();
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url });

const payment: Payment = {
  status: "Pending",
  formula: "vip-mensuel",
  amount: 990,
  date: "2026-11-20T10:00:00Z",
};

it.each<{ words: RegExp; payload: Payment }>([
  { words: /La banque n’a pas encore décidé.*remboursé aussitôt/, payload: payment },
  {
    words: /commencé à la banque n’est pas terminé.*aucun contrat ne commence.*remboursée aussitôt/,
    payload: { ...payment, awaiting: "payer" },
  },
])("the deletion names a payment that may still succeed: $words", async ({ words, payload }) => {
  api.tell();
  api.signIn(tokenOf("signed in"));
  api.become({ getLastPayment: { payload } });
  const reader = visitor();
  await reader.post(paths.login(), { email: "ada@exemple.fr", password: "un mot de passe" });
  const panel = async () =>
    (await reader.get(paths.accountData())).dom.querySelector("#deletion-panel")?.text ?? "";
  expect(await panel()).toMatch(words);
  api.become({ getLastPayment: { payload: { ...payment, status: "Success" } } });
  expect(await panel()).not.toMatch(words);
});
