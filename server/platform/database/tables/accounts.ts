export type AccountTables = {
  account: {
    uid: string;
    identifier: string;
    /** Identifier for comparison: trimmed, NFC, lower case. Unique. */
    identifier_key: string;
    password_hash: string | null;
    /** Idempotency key of the registration, to recognise a repeated request. */
    registration_key: string | null;
    formula_uid: string;
    affiliation_token: string | null;
    affiliation_platform: string | null;
    /** deleted: the person is erased; the row stays for the payments that the law requires to keep. */
    status: "active" | "blocked" | "deleted";
    metadata: string;
    metadata_modified_at: string;
    created_at: string;
    /** Origin of the last sign-in: links in mails lead there. */
    origin: string | null;
    last_sign_in_at: string | null;
    /** The last visit in a session that was purged; null before the first such session. */
    last_visit_at: string | null;
    /** The version of the terms that was accepted with the registration, and when. */
    terms_digest: string | null;
    terms_accepted_at: string | null;
    /** When the deletion of the idle account was announced to its owner. */
    deletion_announced_at: string | null;
  };
  account_session: {
    uid: string;
    account_uid: string;
    created_at: string;
    ended_at: string | null;
    /** Precise to a few minutes. */
    last_seen_at: string;
    /** `User-Agent` of the browser. */
    device: string | null;
  };
  /** Addresses from which the owner signed in: strangers' failures do not lock them (R-10.12). */
  account_address: {
    /** Keyed hash of account and address; the address itself is not stored. */
    address_key: string;
    account_uid: string;
    seen_at: string;
  };
  /** A request for a new password; deleted when its job looks up the account. */
  password_reset_request: {
    uid: string;
    identifier_key: string;
    origin: string;
    requested_at: string;
  };
  /** A mailed link to set a password; all links of an account are deleted when one is used. */
  password_reset: {
    uid: string;
    account_uid: string;
    /** SHA-256 of the secret in the link. */
    secret_hash: string;
    created_at: string;
    expires_at: string;
  };
  /** A mailed link that deletes a leaving account, so that its e-mail can register again. */
  address_release: {
    uid: string;
    account_uid: string;
    /** SHA-256 of the secret in the link. */
    secret_hash: string;
    created_at: string;
    expires_at: string;
  };
  /** An e-mail that the owner asked for; one of an account. */
  email_change: {
    uid: string;
    account_uid: string;
    email: string;
    /** SHA-256 of the secret in the link to that e-mail; null before it is mailed, and where none is. */
    secret_hash: string | null;
    /** Where it was asked for. */
    origin: string;
    created_at: string;
    expires_at: string;
  };
  /** Granted roles; the role `vip` follows from a subscription instead. `name` is shown to people. */
  account_role: { account_uid: string; role: "coach"; name: string; granted_at: string };
};
