import { z } from "zod/v4";
import { EMAIL_LENGTH } from "./limits";
import { email, moment, password, termsDigest, uid } from "./primitives";
import { text } from "./text";

export const credentials = z.object({
  identifier: text.min(1).max(EMAIL_LENGTH),
  password: text.min(1).max(200),
});

export const roles = z.record(z.string(), z.literal(true));
export type Roles = z.infer<typeof roles>;

/** Claims of the bearer token; `exp` in seconds since 1970. */
export const tokenClaims = z.object({
  uid,
  identifier: z.string(),
  acl: roles,
  exp: z.number().optional(),
});
export type TokenClaims = z.infer<typeof tokenClaims>;

/**
 * The token stands in the payload, as in every answer, and at the top level, where JWT clients
 * expect it.
 */
export const authToken = z.object({
  payload: z.object({ token: z.string() }),
  token: z.string().optional(),
});

/** Stored only if token and platform are both well formed. */
export const affiliation = z.object({
  token: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  platform: z.string().regex(/^[a-z0-9-]{1,64}$/),
});
export type Affiliation = z.infer<typeof affiliation>;

export const registration = z.object({
  identifier: email,
  formula: uid,
  password: password.optional(),
  affiliation: affiliation.optional(),
  /** The version of the terms that the form showed; without it the current one counts. */
  terms: termsDigest.optional(),
});
export type Registration = z.infer<typeof registration>;

/**
 * Result for the e-mail of an account that is about to be deleted. `released`: the e-mail may register
 * again. `waiting`: a refund must arrive first, then the same link works.
 */
export const releasing = z.object({ status: z.enum(["released", "waiting"]) });

export const registeredUser = z.object({ uid, identifier: z.string(), formula: z.string() });

/** `coachingUid`: the contact that the account's messages to the coaches bear; null for who has no coaching. */
export const user = z.object({ uid, email: z.string(), coachingUid: uid.nullable().optional() });
export type User = z.infer<typeof user>;

export const profile = z
  .object({
    name: text.max(24).nullable().optional(),
    favorites: z.array(uid).max(1000).optional(),
  })
  .loose();

/**
 * An object with the profile. Other keys, here and in the profile, belong to other programs: they
 * are stored unchanged, exported and erased with the account.
 */
export const metadata = z
  .object({ profile: profile.optional() }, { error: "metadata type is not correct" })
  .loose();
export type Metadata = z.infer<typeof metadata>;

export const storedMetadata = z.object({
  /** JSON text of a `metadata`. */
  data: z.string(),
  date: moment,
  modified: moment,
});

/** Names a state of the metadata: replaces no other one. */
export const metadataTag = text.max(64);

export const tagOfMetadata = ({ modified }: { modified: string }) => `"${modified}"`;

/** One session of an account. `device` is the browser's user agent. */
export const userSession = z.object({
  uid,
  createdDateTime: moment,
  lastSeenDateTime: moment,
  device: z.string().nullable(),
  /** Whether this session made the request. */
  current: z.boolean(),
});
export type UserSession = z.infer<typeof userSession>;

export const passwordChange = z.object({ currentPassword: text.min(1).max(200), password });
/** Another e-mail of the account, asked for with its password. */
export const emailChange = z.object({ email, currentPassword: text.min(1).max(200) });
/** What a mailed link to it makes the e-mail of the account. */
export const emailToConfirm = z.object({ email: z.string() });
export const passwordResetRequest = z.object({ identifier: text.min(1).max(EMAIL_LENGTH) });
export const passwordReset = z.object({ token: text.min(1).max(512), password });
export const exportedData = z.record(z.string(), z.unknown());
