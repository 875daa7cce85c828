export type AccountTables = {
  account: {
    uid: string;
    identifier: string;
    /** Identifier as compared: trimmed, NFC, lower case. Unique. */
    identifier_key: string;
    password_hash: string | null;
    /** Of the form that made it: the same form sent again is no second registration. */
    registration_key: string | null;
    formula_uid: string;
    affiliation_token: string | null;
    affiliation_platform: string | null;
    /** deleted: nobody any more; the row stays for what the law keeps (payments). */
    status: "active" | "blocked" | "deleted";
    metadata: string;
    metadata_modified_at: string;
    created_at: string;
    /** The site its owner last used: links to a new password lead there. */
    origin: string | null;
    last_sign_in_at: string | null;
  };
  account_session: {
    uid: string;
    account_uid: string;
    created_at: string;
    ended_at: string | null;
    /** Exact to a few minutes. */
    last_seen_at: string;
    /** The browser, as it names itself. */
    device: string | null;
  };
  /** Where an account was signed in to from: strangers' failures stop nobody there (R-10.12). */
  account_address: {
    /** Keyed hash of account and address together; the address itself is not kept. */
    address_key: string;
    account_uid: string;
    seen_at: string;
  };
  /** Somebody asked for a new password: gone as soon as it is known whose. */
  password_reset_request: {
    uid: string;
    identifier_key: string;
    origin: string;
    requested_at: string;
  };
  /** A mailed link to a new password; gone once one of the account's is used. */
  password_reset: {
    uid: string;
    account_uid: string;
    /** SHA-256 of the secret in the link. */
    secret_hash: string;
    created_at: string;
    expires_at: string;
  };
  /** A mailed link that deletes an account which is leaving, so that its e-mail is free. */
  address_release: {
    uid: string;
    account_uid: string;
    /** SHA-256 of the secret in the link. */
    secret_hash: string;
    created_at: string;
    expires_at: string;
  };
  /** Roles that somebody gave; `vip` is paid for. `name`: as people see it. */
  account_role: { account_uid: string; role: "coach"; name: string; granted_at: string };
};
