import type { Database } from "./tables";
import { inTransaction } from "./transaction";

/** What an act would answer: it is carried out in a transaction that is rolled back. */
export async function rehearse<Context extends { db: Database }, T>(
  context: Context,
  act: (context: Context) => Promise<T>,
): Promise<T> {
  let resolveAnswer: (answer: T) => void = () => {};
  const answered = new Promise<T>((resolve) => (resolveAnswer = resolve));
  const rehearsal = inTransaction(context, async (context) => {
    resolveAnswer(await act(context));
    throw new Rehearsed("Nothing was changed");
  });
  await rehearsal.catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error;
  });
  return answered;
}

/** Thrown to roll the transaction back. */
class Rehearsed extends Error {}
