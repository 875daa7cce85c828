import type { ClientActionFunctionArgs, ShouldRevalidateFunctionArgs } from "@remix-run/react";

/** Action data of a post that never reached the server. */
type Unsent = { unsent: true };

/**
 * Handles a post without network: the page stays, keeps the typed values and says that nothing was
 * sent. The form can be sent again, because its idempotency key makes it count once.
 */
export async function clientAction({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await serverAction();
  } catch (error) {
    // `fetch` throws a TypeError without an answer. Anything else is an answer, or a fault of ours.
    if (!(error instanceof TypeError)) throw error;
    return { unsent: true } satisfies Unsent;
  }
}

/** Without a network nothing has changed, and loading again would fail as well. */
export const shouldRevalidate = ({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) => !isUnsent(actionResult) && defaultShouldRevalidate;

export const isUnsent = (answer: unknown): answer is Unsent =>
  typeof answer === "object" && answer !== null && "unsent" in answer;
