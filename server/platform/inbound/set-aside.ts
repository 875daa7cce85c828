import type { ImapFlow } from "imapflow";

/** Where a server keeps what could not be read, for somebody to look at. */
const FOLDER = ["Cap Celeste", "set aside"];

/**
 * Takes a mail out of the folder that is read. Where the server moves no single mail, or keeps no
 * folders, the mail stays, marked as seen and flagged.
 * @returns the folder it is in now; null: where it was
 */
export async function setAside(client: ImapFlow, uid: number): Promise<string | null> {
  // Without either, the emulation of a move removes whatever else is marked as deleted.
  const moves = client.capabilities.has("MOVE") || client.capabilities.has("UIDPLUS");
  const folder = moves ? await move(client, uid) : null;
  if (folder === null) {
    await client.messageFlagsAdd(String(uid), ["\\Seen", "\\Flagged"], { uid: true });
  }
  return folder;
}

async function move(client: ImapFlow, uid: number): Promise<string | null> {
  // Servers answer with a plain "NO" where the folder is there already: the move tells.
  await client.mailboxCreate(FOLDER).catch(() => undefined);
  const moved = await client.messageMove(String(uid), FOLDER, { uid: true });
  return moved ? moved.destination : null;
}
