import { z } from "zod/v4";
import { page, uid } from "../primitives";
import { idempotencyKey } from "../subscriptions";

/** What several calls ask for, and how they answer. */
export const signedIn = { authorization: "bearer" } as const;
export const byUid = { params: z.object({ uid }) };
export const ownUid = { ...byUid, ...signedIn };
/** The same key twice is one. */
export const keyOptional = z.object({ "idempotency-key": idempotencyKey.optional() });

export const pageOfThread = <T extends z.ZodType>(thread: T) => z.object({ payload: thread, page });
