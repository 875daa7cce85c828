import { z } from "zod/v4";
import { EMAIL_LENGTH, LOCAL_PART_LENGTH, PASSWORD_LENGTH } from "./limits";
import { text } from "./text";

/** Identifier of a resource inside an address: letters, digits, `-` and `_`. */
export const uid = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9_-]+$/);

/** A day (`2026-03-14`) or a moment with its offset (`2026-03-14T09:00:00Z`). */
export const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** SHA-256 of title and text of a version of the terms. */
export const termsDigest = z.string().regex(/^[0-9a-f]{64}$/);

/** Amount in cents of euro. */
export const cents = z.int().min(0);

/**
 * E-mail of somebody who may have an account already. Accounts of earlier releases were checked less
 * strictly. Spaces around an address come from copying, not from the address.
 */
export const knownEmail = z.string().trim().pipe(z.email().max(EMAIL_LENGTH));

/** Mail servers may refuse a longer part before the `@` (RFC 5321, 4.5.3.1.1), so mail would never arrive. */
export const email = z
  .string()
  .trim()
  .pipe(
    z
      .email()
      .max(EMAIL_LENGTH)
      .refine(isLocalPartShort, {
        message: "Invalid email address",
        params: { code: "invalid" },
      }),
  );

function isLocalPartShort(address: string) {
  return address.lastIndexOf("@") <= LOCAL_PART_LENGTH;
}

export const password = text.min(PASSWORD_LENGTH.min).max(PASSWORD_LENGTH.max);

/** Size of one page, 1 to 100. Query values arrive as text. */
export const pageLength = z
  .union([z.number(), z.string().regex(/^-?\d{1,9}$/)])
  .transform(Number)
  .pipe(z.int().min(1).max(100));

/** Opaque position in a list. The next one is `page.endCursor` of the answer. */
export const cursor = z
  .string()
  .min(1)
  .max(512)
  .regex(/^[A-Za-z0-9_-]+$/);

/** One value or a repeated key (`tags=a&tags=b`) as a list. */
export const uidList = z.union([z.array(uid).max(100), uid.transform((one) => [one])]).optional();

export const page = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

export const single = <T extends z.ZodType>(payload: T) => z.object({ payload });

export const pageOf = <T extends z.ZodType>(item: T) => z.object({ payload: z.array(item), page });

/** Secret of a mailed link. Opening the link changes nothing, only its form does. */
export const linkSecret = z.object({ token: text.min(1).max(512) });
