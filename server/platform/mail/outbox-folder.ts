import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import MailComposer from "nodemailer/lib/mail-composer";
import type { MailTransport } from "../ports/mail-transport";
import { messageOf } from "./message";

/**
 * Writes mails as `<uid>.eml` files that mail programs can open, for a site without a mail server. Files
 * appear complete, because they are renamed after writing. A mail sent twice is one file.
 */
export function createOutboxFolder(folder: string): MailTransport {
  return {
    async send(mail) {
      const content = await new MailComposer(messageOf(mail)).compile().build();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `.${mail.uid}.draft`);
      await writeFile(draft, content, { mode: 0o600, flush: true });
      await rename(draft, join(folder, `${mail.uid}.eml`));
    },
    close() {},
  };
}
