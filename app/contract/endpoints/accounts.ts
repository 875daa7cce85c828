import { z } from "zod/v4";
import * as accounts from "../accounts";
import * as content from "../content";
import { endpoint, optional } from "../endpoint";
import { linkSecret, pageOf, single, uid } from "../primitives";
import { releasePreview } from "../subscriptions";
import { ownUid, keyOptional, signedIn } from "./parts";

/** Accounts, their stored data, and signing in. */
export const accountsEndpoints = {
  checkAuth: endpoint(
    "POST /auth_check",
    { body: accounts.credentials },
    { 200: accounts.authToken },
    [401, 403],
  ),
  register: endpoint(
    "POST /registrations/register",
    {
      headers: keyOptional,
      body: accounts.registration,
    },
    { 201: single(accounts.registeredUser) },
    [409],
  ),
  releaseAddress: optional(
    endpoint(
      "POST /registrations/release",
      { body: linkSecret },
      { 200: single(accounts.releasing) },
      [404],
    ),
  ),
  checkReleaseLink: optional(
    endpoint(
      "POST /registrations/release/check",
      { body: linkSecret },
      { 200: single(releasePreview) },
      [404],
    ),
  ),
  getUser: endpoint("GET /users/{uid}", ownUid, { 200: single(accounts.user) }, [401, 404]),
  deleteUser: endpoint("DELETE /users/{uid}", ownUid, { 202: null }, [401, 404]),
  getMetadata: endpoint(
    "GET /users/{uid}/metadata",
    ownUid,
    { 200: single(accounts.storedMetadata) },
    [401, 404],
  ),
  setMetadata: endpoint(
    "PUT /users/{uid}/metadata",
    {
      ...ownUid,
      headers: z.object({ "if-match": accounts.metadataTag.optional() }),
      body: accounts.metadata,
      limits: { bytes: 64 * 1024, depth: 32, values: 2_000 },
    },
    { 200: single(accounts.storedMetadata) },
    [401, 404, 409],
  ),
  changePassword: endpoint(
    "PUT /users/{uid}/password",
    { ...ownUid, body: accounts.passwordChange },
    { 204: null },
    [401, 404],
  ),
  requestEmailChange: optional(
    endpoint(
      "POST /users/{uid}/email",
      { ...ownUid, body: accounts.emailChange },
      { 202: null },
      [401, 404],
    ),
  ),
  checkEmailLink: optional(
    endpoint(
      "POST /users/{uid}/email/check",
      { ...ownUid, body: linkSecret },
      { 200: single(accounts.emailToConfirm) },
      [401, 404],
    ),
  ),
  confirmEmailChange: optional(
    endpoint(
      "POST /users/{uid}/email/confirm",
      { ...ownUid, body: linkSecret },
      { 204: null },
      [401, 404, 409],
    ),
  ),
  exportUser: optional(
    endpoint("GET /users/{uid}/export", ownUid, { 200: single(accounts.exportedData) }, [401, 404]),
  ),
  listSessions: optional(
    endpoint(
      "GET /users/{uid}/sessions",
      { ...ownUid, query: content.paging },
      { 200: pageOf(accounts.userSession) },
      [401, 404],
    ),
  ),
  endSessions: optional(
    endpoint("DELETE /users/{uid}/sessions", ownUid, { 204: null }, [401, 404]),
  ),
  endSession: optional(
    endpoint(
      "DELETE /users/{uid}/sessions/{session}",
      { ...signedIn, params: z.object({ uid, session: uid.or(z.literal("current")) }) },
      { 204: null },
      [401, 404],
    ),
  ),
  requestPasswordReset: endpoint(
    "POST /reset-password/request",
    { body: accounts.passwordResetRequest },
    { 202: null },
  ),
  updatePassword: endpoint(
    "POST /reset-password/update",
    { body: accounts.passwordReset },
    { 204: null },
  ),
  checkPasswordLink: optional(
    endpoint("POST /reset-password/check", { body: linkSecret }, { 204: null }, [404]),
  ),
} as const;
