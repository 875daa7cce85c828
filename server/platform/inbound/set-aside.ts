import type { ImapFlow } from "imapflow";

/** Folder for unreadable mails, for the operator to look at. */
const FOLDER = ["Cap Celeste", "set aside"];

/**
 * Moves a mail out of the inbox. When the server cannot move single mails or has no folders, the
 * mail stays, marked as seen and flagged.
 * @returns the new folder, or null when the mail stayed
 */
export async function setAside(client: ImapFlow, uid: number): Promise<string | null> {
  // Without these, imapflow emulates the move and would also expunge other mails marked as deleted.
  const moves = client.capabilities.has("MOVE") || client.capabilities.has("UIDPLUS");
  const folder = moves ? await move(client, uid) : null;
  if (folder === null) {
    await client.messageFlagsAdd(String(uid), ["\\Seen", "\\Flagged"], { uid: true });
  }
  return folder;
}

async function move(client: ImapFlow, uid: number): Promise<string | null> {
  // Servers answer "NO" when the folder exists; the move then shows whether it works.
  await client.mailboxCreate(FOLDER).catch(() => undefined);
  const moved = await client.messageMove(String(uid), FOLDER, { uid: true });
  return moved ? moved.destination : null;
}
