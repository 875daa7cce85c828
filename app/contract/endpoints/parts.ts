import { z } from "zod/v4";
import { page, uid } from "../primitives";
import { idempotencyKey } from "../subscriptions";

/** Parts of requests and answers that several endpoints share. */
export const signedIn = { authorization: "bearer" } as const;
export const byUid = { params: z.object({ uid }) };
export const ownUid = { ...byUid, ...signedIn };
/** Two requests with the same key count as one. */
export const keyOptional = z.object({ "idempotency-key": idempotencyKey.optional() });

export const pageOfThread = <T extends z.ZodType>(thread: T) => z.object({ payload: thread, page });
