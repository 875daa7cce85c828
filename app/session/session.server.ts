import { createHash } from "node:crypto";
import type { TokenClaims } from "~/contract/accounts";
import type { ProviderName } from "./page-handle";
import type { FlashMessage, SessionData } from "./data";
import { assertProvider, decodeToken, isCurrent } from "./providers";

/** The session of one request. All loaders share it, and it is written once at the end. */
export class Session {
  #data: SessionData;
  #changed = false;
  #taken: FlashMessage[] = [];
  /** The claims of the last token that was read: a page asks for them a dozen times. */
  #read: { token: string; claims: TokenClaims | null } | undefined;

  constructor(data: SessionData) {
    this.#data = data;
  }

  get data(): Readonly<SessionData> {
    return this.#data;
  }

  get changed() {
    return this.#changed;
  }

  set(data: Partial<SessionData>) {
    this.#data = { ...this.#data, ...data };
    this.#changed = true;
  }

  token(provider: ProviderName): string | undefined {
    assertProvider(provider);
    return this.#data.tokens?.[provider];
  }

  /**
   * The claims of the account signed in with the provider. An expired or unreadable token
   * disconnects.
   */
  claims(provider: ProviderName = "default"): TokenClaims | null {
    const token = this.token(provider);
    if (!token) return null;
    const claims = this.#claimsOf(token);
    if (claims && isCurrent(claims)) return claims;
    this.disconnect(provider);
    return null;
  }

  /** Identifies the signed-in person. Undefined when nobody is signed in. */
  person(): string | undefined {
    const claims = this.claims();
    return claims ? fingerprintOf(claims) : undefined;
  }

  hasRole(role: string, provider: ProviderName = "default"): boolean {
    return this.claims(provider)?.acl[role] === true;
  }

  /**
   * Stores a token. If it belongs to another account than before, the earlier account's data goes.
   */
  connect(provider: ProviderName, token: string) {
    assertProvider(provider);
    const person = fingerprintOf(decodeToken(token));
    if (provider === "default" && person !== this.#owner()) this.forgetPerson();
    if (provider === "default") this.set({ person });
    this.set({ tokens: { ...this.#data.tokens, [provider]: token } });
  }

  disconnect(provider: ProviderName) {
    assertProvider(provider);
    const { [provider]: _, ...tokens } = this.#data.tokens ?? {};
    this.set({ tokens });
  }

  /** Whether the data are of a person whose session is over: they are not the next visitor's. */
  isLeftOver(): boolean {
    return !this.claims() && this.#owner() !== undefined;
  }

  /** Removes the data of the last signed-in account. Data of a visitor who never signed in stays. */
  forgetPerson() {
    if (this.#owner() === undefined) return;
    const { flash } = this.#data;
    this.#data = flash ? { flash } : {};
    this.#changed = true;
  }

  /** Removes all data. */
  clear() {
    this.#data = {};
    this.#changed = true;
  }

  /**
   * Fingerprint of the account that owns the data. Sessions of earlier releases have the token
   * only.
   */
  #owner(): string | undefined {
    const { person, tokens } = this.#data;
    const claims = tokens?.default === undefined ? null : this.#claimsOf(tokens.default);
    return person ?? (claims ? fingerprintOf(claims) : undefined);
  }

  #claimsOf(token: string): TokenClaims | null {
    if (this.#read?.token !== token) this.#read = { token, claims: readClaims(token) };
    return this.#read.claims;
  }

  /** Adds a message for the next page. A message that is already waiting is not added twice. */
  flash(message: FlashMessage) {
    const waiting = [...this.#taken, ...(this.#data.flash ?? [])];
    if (waiting.some(({ key }) => key === message.key)) return;
    this.set({ flash: [...(this.#data.flash ?? []), message].slice(-5) });
  }

  takeFlash(): FlashMessage[] {
    const messages = this.#data.flash ?? [];
    if (messages.length) this.set({ flash: [] });
    this.#taken = [...this.#taken, ...messages];
    return messages;
  }

  /** Notes a registration that succeeded, once for each payment, for the tag manager. */
  noteSignUp(payment: string) {
    if (this.#data.signUp?.payment !== payment) this.set({ signUp: { payment, isTold: false } });
  }

  /** Whether a registration is to be told, which counts as done then. */
  takeSignUp(): boolean {
    const { signUp } = this.#data;
    if (!signUp || signUp.isTold) return false;
    this.set({ signUp: { ...signUp, isTold: true } });
    return true;
  }

  /** Puts messages back that were taken for a page which then redirected. */
  returnFlash() {
    if (this.#taken.length) this.set({ flash: [...this.#taken, ...(this.#data.flash ?? [])] });
    this.#taken = [];
  }
}

/** A short hash of the account's uid. The cookie has little room. */
function fingerprintOf({ uid }: TokenClaims): string {
  return createHash("sha256").update(uid).digest("base64url").slice(0, 16);
}

function readClaims(token: string): TokenClaims | null {
  try {
    return decodeToken(token);
  } catch {
    return null;
  }
}
