import { afterEach, expect, it, vi } from "vitest";
import { CERTIFICATE, startImapServer, type ImapServer } from "../support/imap-server";
import { startSite } from "../support/site";
import { appServers } from "../app/app-servers";
import { mailFile } from "../platform/inbound";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function siteWith(server: ImapServer, url: string, variables: Record<string, string> = {}) {
  cleanups.push(() => server.close());
  server.deliver(mailFile("vacation"));
  const site = await startSite({
    MAIL_REPLY_TO: "bonjour@cap.example",
    SITE_URL: "https://cap.example",
    MAIL_INBOX_URL: url,
    ...variables,
  });
  cleanups.push(() => site.remove());
  return site;
}

const logins = ({ commands }: ImapServer) => commands.filter((line) => line.includes("LOGIN"));

it.each(["at once", "on demand"] as const)("a mailbox encrypted %s is read", async (tls) => {
  const server = await startImapServer({ tls });
  // Any name but this machine's own: in clear nobody signs in there.
  const url = server.url.replace("localhost", tls === "at once" ? "localhost" : "0.0.0.0");
  const trusts = { NODE_EXTRA_CA_CERTS: CERTIFICATE };
  await siteWith(server, url, trusts);
  await vi.waitFor(() => expect(server.gone()).toEqual([true]), 20_000);
});

it("a mailbox with an untrusted certificate gets no password", async () => {
  const server = await startImapServer({ tls: "at once" });
  const site = await siteWith(server, server.url);
  await vi.waitFor(() => expect(site.output()).toContain("DEPTH_ZERO_SELF_SIGNED_CERT"), 20_000);
  expect(logins(server)).toEqual([]);
});

it("a remote mailbox without encryption gets no password", async () => {
  const server = await startImapServer();
  const site = await siteWith(server, server.url.replace("127.0.0.1", "0.0.0.0"));
  await vi.waitFor(() => expect(site.output()).toContain("no encryption"), 20_000);
  expect(logins(server)).toEqual([]);
});

it.each(Object.entries(appServers))(
  "%s reads mails in a thread",
  async (_, start) => {
    const server = await startImapServer();
    cleanups.push(() => server.close());
    server.deliver(mailFile("vacation"));
    const site = await start({
      MAIL_REPLY_TO: "bonjour@cap.example",
      SITE_URL: "https://cap.example",
      MAIL_INBOX_URL: server.url,
    });
    cleanups.push(() => site.remove());
    // Without the host the platform opens with the first page that needs it.
    await fetch(site.origin);
    await vi.waitFor(() => expect(server.gone()).toEqual([true]), 30_000);
  },
  120_000,
);
