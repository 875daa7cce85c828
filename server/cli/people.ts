import { readConfig } from "../../app/config.server";
import { knownEmail } from "../../app/contract/primitives";
import { readPersonRecord } from "../platform/desk/person-record";
import { openClock } from "./command/clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run people -- <command>

  show <email>
      prints as JSON what is known of the account with that e-mail, for whoever answers the phone:
      state, roles and last sign-in; contracts with their dates, newest first; declarations that are
      open; payments, newest last, each with its refunds and disputes; mails, newest last, each with its
      kind and whether it is sent, waiting or given up, and why; the number of open requests
      and discussions. Make sure that it is their owner who asks before you tell anything of it

"payment" is the uid that npm run payments -- refund takes, "receipt" the number on the person's receipt.
A refund is made by the "platform" (a rule, such as a withdrawal), an "operator" (with "by" and "reason")
or at the "provider". Amounts are cents. No card number, no secret, no message and no text of a mail is printed.
Of a deleted account only the archive is left: npm run data -- contract <e-mail> prints it.
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

export const main = command({
  help: HELP,
  run: async ({ words: [name, address, ...rest] }) => {
    if (name !== "show" || !address || rest.length > 0) {
      throw new Error("Expected: show <email> (see --help)");
    }
    const email = knownEmail.safeParse(address);
    if (!email.success) throw new Error(`Not an e-mail: ${address}`);
    return show(email.data);
  },
});

/** @throws Error in one line when no account has that e-mail */
async function show(email: string) {
  const record = await withDatabase(async (open) => {
    const db = await open();
    const clock = await openClock(readConfig(process.env), db);
    return readPersonRecord({ db, clock }, email);
  });
  if (!record) throw new Error(`There is no account of ${email} (see --help)`);
  console.log(JSON.stringify(record, null, 2));
}
