import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { embeddedPlatform } from "../../server/embedded";
import type { PageAnswer, Visitor } from "../support/pages";
import { hiddenFields } from "../support/pages";
import { answerAt, mainOf, openThreads } from "./threads";

const { visitor, newTicket, newDiscussion, newCoach } = openThreads();

const TEXT = "Un long texte, écrit pendant une heure";

const areaOf = ({ dom }: PageAnswer) => dom.querySelector("textarea[name=message]");
const isToCopy = (page: PageAnswer) =>
  areaOf(page)?.text.trim() === TEXT && areaOf(page)?.hasAttribute("readonly");

/** Posts, and follows a 307 as browsers do: with the same body. */
async function postOn(reader: Visitor, path: string, fields: Record<string, string>) {
  const answer = await reader.post(path, fields);
  if (answer.status !== 307) return answer;
  return reader.post(answer.headers.get("location") ?? "", fields);
}

const removeTicket = async (uid: string) => {
  const { database } = await embeddedPlatform();
  await database.deleteFrom("ticket_message").where("ticket_uid", "=", uid).execute();
  await database.deleteFrom("ticket").where("uid", "=", uid).execute();
};

describe("a text that can no longer be sent comes back", () => {
  it("to a coach whose person has left", async () => {
    const { path } = await newDiscussion();
    const uid = path.split("/").at(-1) ?? "";
    const coach = await newCoach();
    await removeTicket(uid);
    const page = await coach.post(paths.deskTicket(uid), {
      message: TEXT,
      idempotencyKey: "cle-de-cet-essai",
    });
    expect([page.status, isToCopy(page)]).toEqual([404, true]);
    expect(mainOf(page)).toContain("n’existe plus");
  });

  it("to a subscriber whose thread is deleted, with links", async () => {
    const { member, path } = await newDiscussion();
    await removeTicket(path.split("/").at(-1) ?? "");
    const page = await member.post(path, { message: TEXT });
    expect([page.status, isToCopy(page)]).toEqual([404, true]);
    const way = page.dom.querySelector("form#onward");
    expect(areaOf(page)?.getAttribute("form")).toBe("onward");
    const next = await member.post(way?.getAttribute("action") ?? "", {
      restore: "1",
      message: TEXT,
    });
    expect([next.status, areaOf(next)?.text.trim()]).toEqual([200, TEXT]);
  });

  it("to a contact whose link has expired", async () => {
    const { uid } = await newTicket();
    const path = paths.contactTicket(uid, { t: "0123456789abcdef0123" });
    const page = await visitor().post(path, { message: TEXT });
    expect([page.status, isToCopy(page)]).toEqual([403, true]);
    expect(mainOf(page)).toContain("ne sert plus");
    const links = page.dom.querySelectorAll("main a").map((link) => link.getAttribute("href"));
    expect(links).toContain(paths.contactLink({ worn: "1" }));
    const onward = page.dom.querySelector("form#onward")?.getAttribute("action");
    expect(onward).toBe(paths.contactNewTicket());
  });

  it("to a coach who left the team meanwhile", async () => {
    const { uid } = await newTicket();
    const coach = await newCoach();
    const { database } = await embeddedPlatform();
    await database.deleteFrom("account_role").execute();
    await coach.get(paths.desk());
    const page = await postOn(coach, paths.deskTicket(uid), { message: TEXT });
    expect([page.status, isToCopy(page)]).toEqual([403, true]);
    expect(mainOf(page)).toContain("n’appartient pas à l’équipe");
  });

  it("to a subscriber whose subscription ended meanwhile", async () => {
    const { member } = await newDiscussion();
    const { database } = await embeddedPlatform();
    const ended_at = new Date(Date.now() - 1000).toISOString();
    await database.updateTable("subscription").set({ ended_at }).execute();
    await member.get(paths.account());
    const fields = { subject: "Lune", message: TEXT };
    const page = await postOn(member, paths.coachingNewDiscussion(), fields);
    expect([page.status, isToCopy(page)]).toEqual([403, true]);
    const sent = { ...hiddenFields(page), message: TEXT };
    const next = await member.post(paths.contactNewTicket(), sent);
    expect(areaOf(next)?.text.trim()).toBe(TEXT);
  });

  it("from a closed discussion, with links", async () => {
    const { member, path } = await newDiscussion();
    await answerAt(await newCoach(), path.split("/").at(-1) ?? "", "Fin", "closed").catch(() => {});
    const { database } = await embeddedPlatform();
    await database.updateTable("ticket").set({ status: "closed" }).execute();
    const page = await member.post(path, { message: TEXT });
    expect([page.status, isToCopy(page)]).toEqual([400, true]);
    expect(page.dom.querySelector("form#onward")?.getAttribute("action")).toBe(
      paths.coachingNewDiscussion(),
    );
  });
});

/** As the script of an open page asks, which leaves the page for any other answer than its data. */
const readAgain = (reader: Visitor, path: string) => {
  const [pathname, query = ""] = path.split("?");
  return reader.get(`${pathname}.data?${query}`, { "sec-fetch-dest": "empty" });
};

describe("an open page that reads a thread again stays", () => {
  it("for a coach and a contact when it is gone", async () => {
    const { uid, path } = await newTicket();
    const coach = await newCoach();
    await removeTicket(uid);
    for (const [reader, address] of [
      [coach, paths.deskTicket(uid)],
      [visitor(), path],
    ] as const) {
      const answer = await readAgain(reader, address);
      expect([answer.status, answer.html.includes("n’existe plus")]).toEqual([200, true]);
      expect((await reader.get(address)).status).toBe(404);
    }
  });

  it("for a contact whose link has expired", async () => {
    const { uid } = await newTicket();
    const path = paths.contactTicket(uid, { t: "0123456789abcdef0123" });
    const answer = await readAgain(visitor(), path);
    expect([answer.status, answer.html.includes("Conversation non chargée")]).toEqual([200, true]);
    expect((await visitor().get(path)).status).toBe(303);
  });
});

it("a status saved for a lost ticket keeps the text", async () => {
  const { uid } = await newTicket();
  const coach = await newCoach();
  await removeTicket(uid);
  const change = { intent: "change", status: "closed", version: "1" };
  const page = await coach.post(paths.deskTicket(uid), { ...change, message: TEXT });
  expect([page.status, isToCopy(page)]).toEqual([404, true]);
  const alone = await coach.post(paths.deskTicket(uid), change);
  expect([alone.status, areaOf(alone)]).toEqual([404, null]);
  expect(mainOf(alone)).toContain("Elle a été effacée");
});
