import { expect, it } from "vitest";
import { paths } from "~/paths";
import { openPages } from "../support/pages";
import { newEmail, reachBank, subscribe } from "../support/people";

const { visitor } = openPages();

/** Forms that ask visitors for data. */
const FORMS = [
  paths.registration(),
  `${paths.registrationPayment()}?utk=demo-cashback`,
  paths.contactNewTicket(),
  paths.contactLink(),
  paths.withdrawal(),
  paths.cancelContract(),
];

it.each(FORMS)("the form at %s tells what becomes of its data", async (path) => {
  const { dom } = await visitor().get(path);
  const notice = dom.querySelector("main form .data-notice");
  expect(notice?.querySelector(`a[href="${paths.text("privacy")}"]`)).not.toBeNull();
  const told = notice?.querySelector("details")?.text.replaceAll("\u00a0", " ") ?? "";
  for (const words of ["Responsable :", "But :", "Durée :", "Vos droits :"]) {
    expect(told).toContain(words);
  }
});

it("the form of a discussion tells what becomes of its data", async () => {
  const member = visitor();
  await subscribe(member);
  const { dom } = await member.get(paths.coachingNewDiscussion());
  expect(dom.querySelector("main form .data-notice")?.text).toContain("votre consentement");
});

it.each(FORMS)("the form at %s marks what may be left empty", async (path) => {
  const { dom } = await visitor().get(path);
  const fields = dom.querySelectorAll("main form .field");
  expect(fields).not.toEqual([]);
  for (const field of fields) {
    const control = field.querySelector("input, select, textarea");
    const isMarked = field.text.toLowerCase().includes("facultatif");
    expect([field.text, isMarked]).toEqual([field.text, !control?.hasAttribute("required")]);
  }
});

it("a deletion tells what goes and what stays", async () => {
  const member = visitor();
  await reachBank(member, newEmail());
  const panel = (await member.get(paths.accountData())).dom.querySelector("#deletion-panel");
  expect(panel?.text).toContain("vos échanges avec les coachs");
  const page = await member.follow(await member.post(paths.accountData(), { confirm: "on" }));
  expect(page.html).toContain("vos favoris et vos échanges");
  expect(page.html).toContain("restent le temps que la loi demande");
});
