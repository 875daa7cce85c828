import {
  isRouteErrorResponse,
  useActionData,
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { useState } from "react";

import { keepPost } from "./send-as-document";

/**
 * Replaces the answer of an action that gave none. `offline`: the browser had no network, so
 * nothing was sent. `lost`: the post may have been carried out.
 */
export type Unsent = { unanswered: "offline" | "lost" };

/**
 * A post with script that the site did not answer: without network, over a cut connection, or answered
 * by a proxy in the site's place. The page stays, with all that was typed, and says so; the form can be sent
 * again under the same key, which counts once. After a refusal because somebody else is signed in by now, the
 * post is sent again for a whole page, because the open page shows another person's data.
 */
export async function clientAction(args: ClientActionFunctionArgs): Promise<unknown> {
  const post = keepPost(args.request);
  // Only a post that begins without a network surely stays here.
  const unanswered = navigator.onLine ? "lost" : "offline";
  try {
    const answer = await Promise.race([args.serverAction(), noAnswer()]);
    return isOtherOwners(answer) ? await post.sendAsDocument() : answer;
  } catch (error) {
    if (isAnswer(error)) throw error;
    return { unanswered } satisfies Unsent;
  }
}

/** The site closes a connection after 70 seconds without an answer. One that has died may stay for longer. */
const LIMIT_MS = 75_000;

const noAnswer = () =>
  new Promise<never>((_, reject) => setTimeout(reject, LIMIT_MS, new Error("No answer")));

/** Without an answer nothing has changed on the page, and loading again would fail as well. */
export const shouldRevalidate = ({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) => !isUnsent(actionResult) && defaultShouldRevalidate;

export const isUnsent = (answer: unknown): answer is Unsent =>
  typeof answer === "object" && answer !== null && "unanswered" in answer;

/**
 * The last answer of the page's action. A post without an answer leaves the earlier one in place: the
 * step of the form that it shows, and the idempotency key that was sent.
 */
export function useAnswer<Answer>() {
  const data = useActionData<Answer>();
  const [last, setLast] = useState(isUnsent(data) ? undefined : data);
  if (isUnsent(data)) return last;
  if (data !== last) setLast(() => data);
  return data;
}

/**
 * Whether the site itself answered: with a redirect, with a refusal, or with its message of a fault,
 * which is all that its framework tells of one. Anything else is what came of reading no answer.
 */
const isAnswer = (error: unknown) =>
  error instanceof Response ||
  isRouteErrorResponse(error) ||
  (error instanceof Error && error.message === FAULT);

/** `sanitizeErrors` of the framework's server. */
const FAULT = "Unexpected Server Error";

const isOtherOwners = (answer: unknown) =>
  typeof answer === "object" && answer !== null && "otherOwner" in answer;
