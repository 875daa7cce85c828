import { expect, it } from "vitest";
import { keyedSubjects } from "../../server/platform/limits/subject";
import { receiveReply, type MailedReply } from "../../server/platform/support/receive-reply";
import { replyAddresses } from "../../server/platform/support/reply-address";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { silent } from "./context";
import { answer, newCoach, setStatus } from "./desk";
import { loseCard, passDays, subscriber } from "./life";
import { contents, newContact, readThread, write } from "./threads";
import { siteAt } from "../support/site-names";

const SITE = siteAt(null);
const subjects = keyedSubjects(["a secret for tests only, long enough"]);

onEachDatabase("a reply by mail", (open) => {
  const receive = ({ database: db, clock }: TestPlatform, mail: MailedReply) =>
    receiveReply({ db, clock, log: silent, site: SITE, replies: null, subjects }, mail);

  async function answered() {
    const platform = await open();
    const coach = await newCoach(platform);
    const contact = await newContact(platform);
    await answer(platform, coach, contact.uid);
    const mail = {
      ticketUid: contact.uid,
      from: contact.email,
      text: "Merci !\r\n",
      messageId: "<abc@mail.example>",
    };
    return { platform, coach, contact, mail };
  }

  it("joins the thread like any other message", async () => {
    const { platform, contact, mail } = await answered();
    const outcome = await receive(platform, { ...mail, from: mail.from.toUpperCase() });
    expect(outcome).toEqual({ outcome: "received", messageUid: expect.any(String) });
    const thread = await readThread(platform, contact);
    expect(contents(thread)).toEqual(["Bonjour", "Bonjour Ada", "Merci !"]);
    expect(thread.body.payload.status).toBe("waiting");
  });

  it("delivered several times is stored once", async () => {
    const { platform, contact, mail } = await answered();
    const outcomes = await Promise.all([1, 2, 3].map(() => receive(platform, mail)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
      "received",
      "repeated",
      "repeated",
    ]);
    expect((await readThread(platform, contact)).body.payload.messageCount).toBe(3);
  });

  it("is refused from others or to unknown tickets", async () => {
    const { platform, coach, contact, mail } = await answered();
    const outcomeOf = async (more: Partial<MailedReply>) =>
      (await receive(platform, { ...mail, ...more })).outcome;
    expect(await outcomeOf({ from: "bob@exemple.fr" })).toBe("wrong sender");
    expect(await outcomeOf({ ticketUid: "nobody" })).toBe("unknown ticket");
    expect(await outcomeOf({ text: " \n" })).toBe("not a message");
    expect(await outcomeOf({ text: "x".repeat(10_001) })).toBe("not a message");
    await setStatus(platform, coach, contact.uid, "closed");
    expect(await outcomeOf({})).toBe("closed");
    expect((await readThread(platform, contact)).body.payload.messageCount).toBe(2);
  });

  it("to a discussion is refused once the subscription is over", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const person = await subscriber(platform);
    const { token, email } = person;
    const written = { title: "Mon thème", message: "Que dit mon ascendant ?" };
    const opened = await platform.call("POST /support/coaching/tickets", { token, body: written });
    const mail = { ticketUid: opened.body.payload.uid, from: email, text: "Et la lune ?" };
    await answer(platform, coach, mail.ticketUid);
    expect(await receive(platform, { ...mail, messageId: "<1@x>" })).toMatchObject({
      outcome: "received",
    });
    await loseCard(platform, person);
    await passDays(platform, 30);
    const late = { ...mail, messageId: "<2@x>" };
    expect(await receive(platform, late)).toEqual({ outcome: "not subscribed" });
  });

  it("counts like a message on the site", async () => {
    const { platform, contact, mail } = await answered();
    for (let n = 0; n < 120; n++) await write(platform, contact, `message ${n}`);
    expect(await receive(platform, mail)).toEqual({ outcome: "too many" });
  });
});

const SECRET = "a secret for tests only, long enough";
const UID = "01a1fdd2-8f8f-7c3d-a963-1a2bf6263f07";

it("a reply address belongs to its ticket only", () => {
  const { addressOf, ticketOf } = replyAddresses("bonjour@cap.example", [SECRET]);
  const address = addressOf(UID);
  expect(address.split("@")[0]?.length).toBeLessThanOrEqual(64);
  expect(ticketOf(address)).toBe(UID);
  expect(ticketOf(` ${address.toUpperCase()} `)).toBe(UID);
  const other = UID.replace("01a1", "01a2");
  const forged = [
    address.replace(UID, other),
    address.replace("cap.example", "cap.example.org"),
    address.replace("bonjour", "bonsoir"),
    address.replace(/\.[a-z2-7]{16}@/, "@"),
    `bonjour+${UID}.${"a".repeat(16)}@cap.example`,
    "bonjour@cap.example",
    "bonjour+@cap.example",
    "",
  ];
  expect(forged.map((one) => ticketOf(one))).toEqual(forged.map(() => null));
});

it("a reply address is valid after a secret rotation", () => {
  const old = replyAddresses("bonjour@cap.example", [SECRET]).addressOf(UID);
  const { ticketOf } = replyAddresses("bonjour@cap.example", ["another secret of length", SECRET]);
  expect(ticketOf(old)).toBe(UID);
  expect(replyAddresses("bonjour@cap.example", ["another secret"]).ticketOf(old)).toBeNull();
});
