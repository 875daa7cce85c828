import type { ClientActionFunctionArgs, ShouldRevalidateFunctionArgs } from "@remix-run/react";

import { keepPost } from "./send-as-document";

/** Answer of an action that was never asked. */
type Unsent = { unsent: true };

/**
 * A post that found no network, with script: its page stays as it is, with all that was typed, and
 * says so. The form can be sent again: its key makes sure that it counts once. A post that was refused
 * because somebody else is signed in by now is sent again for a whole page: all that this one shows is
 * another person's.
 */
export async function clientAction(args: ClientActionFunctionArgs): Promise<unknown> {
  const post = keepPost(args.request);
  try {
    const answer = await args.serverAction();
    return isOtherOwners(answer) ? await post.sendAsDocument() : answer;
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

const isOtherOwners = (answer: unknown) =>
  typeof answer === "object" && answer !== null && "otherOwner" in answer;
