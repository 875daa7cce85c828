import type { ServerResponse } from "node:http";
import { widerNetworkOf } from "../../app/contract/client-address";
import type { Logger } from "../log";
import type { ShareLimits } from "./shares";

const MIB = 1024 * 1024;
/** Bytes of answers that wait to be sent. Reasons for all numbers: docs/decisions/0064-unread-answers.md. */
const MAX_BYTES: ShareLimits = { ofSubject: 16 * MIB, ofNetwork: 32 * MIB, ofAll: 64 * MIB };
/** What an answer costs besides its bytes as long as it waits. */
const FIXED_BYTES = 16 * 1024;
/** Six connections of a browser on a slow mobile network (4 KB a second) get more than this each. */
const LEAST_BYTES_PER_SECOND = 512;
const GRACE_MS = 30_000;
const SWEEP_MS = 2_000;

/** An answer whose bytes wait in the memory of the process. */
type Unsent = {
  subject: string;
  network: string;
  pending: number;
  /** Bytes of its connection that have been sent. */
  sent: number;
  /** When its connection ends, unless more is sent before. */
  deadline: number;
};

/**
 * Ends connections whose clients do not read their answers: when nothing is sent in time, or when the answers
 * that wait for one address, network or for all hold too much memory. The answer that waits longest goes first,
 * of the network that holds most. An event stream that has nothing to send waits for nothing.
 */
export class UnsentAnswers {
  readonly #log: Logger;
  /** Answers that are not closed, with the client as its address counts (`subjectOf`). */
  readonly #open = new Map<ServerResponse, () => string>();
  /** The one that waits longest first. */
  readonly #unsent = new Map<ServerResponse, Unsent>();
  readonly #bySubject = new Map<string, number>();
  readonly #byNetwork = new Map<string, number>();
  #ofAll = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Follows an answer until it is sent or its client leaves. */
  follow(response: ServerResponse, subject: () => string) {
    this.#open.set(response, subject);
    // Emitted once all bytes of the answer are handed over, and before those are sent that the system cannot take.
    response.once("prefinish", () => this.#look(response, performance.now()));
    response.once("close", () => {
      this.#open.delete(response);
      this.#forget(response);
    });
    this.#timer ??= setInterval(() => this.sweep(performance.now()), SWEEP_MS).unref();
  }

  /** Ends the connections whose time is over. An answer that is still being made is measured here alone. */
  sweep(now: number) {
    for (const response of this.#open.keys()) this.#look(response, now);
    for (const [response, { deadline }] of this.#unsent) {
      if (deadline <= now) this.#end(response, "too slow");
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(response: ServerResponse, now: number) {
    const { socket, writableLength } = response;
    const before = this.#unsent.get(response);
    if (!socket || socket.destroyed || writableLength === 0) return this.#forget(response);
    const pending = writableLength + FIXED_BYTES;
    const sent = socket.bytesWritten - socket.writableLength;
    if (before?.sent === sent && before.pending === pending) return;
    const hasMoved = before === undefined || sent > before.sent;
    const toSend = hasMoved ? writableLength : pending - before.pending;
    const from = hasMoved ? now + GRACE_MS : before.deadline;
    const subject = before?.subject ?? this.#open.get(response)?.() ?? "";
    const network = before?.network ?? widerNetworkOf(subject);
    const deadline = from + (toSend / LEAST_BYTES_PER_SECOND) * 1_000;
    if (hasMoved) this.#forget(response);
    const unsent = { subject, network, pending, sent, deadline };
    this.#count(unsent, pending - (hasMoved ? 0 : before.pending));
    this.#unsent.set(response, unsent);
    this.#makeRoom(response, unsent);
  }

  #makeRoom(newest: ServerResponse, { subject, network }: Unsent) {
    const endOldest = (isHolder: (unsent: Unsent) => boolean) => {
      for (const [response, unsent] of this.#unsent) {
        if (response === newest || !isHolder(unsent)) continue;
        this.#end(response, "too much waits");
        return true;
      }
      return false;
    };
    const isOver = (bytes: number | undefined, max: number) => bytes !== undefined && bytes > max;
    while (isOver(this.#bySubject.get(subject), MAX_BYTES.ofSubject)) {
      if (!endOldest((unsent) => unsent.subject === subject)) break;
    }
    while (isOver(this.#byNetwork.get(network), MAX_BYTES.ofNetwork)) {
      if (!endOldest((unsent) => unsent.network === network)) break;
    }
    while (isOver(this.#ofAll, MAX_BYTES.ofAll)) {
      const heaviest = heaviestOf(this.#byNetwork);
      if (!endOldest((unsent) => unsent.network === heaviest) && !endOldest(() => true)) break;
    }
  }

  #end(response: ServerResponse, reason: "too slow" | "too much waits") {
    const { subject, pending } = this.#unsent.get(response) ?? {};
    this.#forget(response);
    this.#log.info({ client: subject, bytes: pending, reason }, "unread answer ended");
    response.socket?.destroy();
  }

  #forget(response: ServerResponse) {
    const unsent = this.#unsent.get(response);
    if (!unsent) return;
    this.#unsent.delete(response);
    this.#count(unsent, -unsent.pending);
  }

  #count({ subject, network }: Unsent, change: number) {
    this.#ofAll += change;
    add(this.#bySubject, subject, change);
    add(this.#byNetwork, network, change);
  }
}

function add(sums: Map<string, number>, name: string, change: number) {
  const sum = (sums.get(name) ?? 0) + change;
  if (sum > 0) sums.set(name, sum);
  else sums.delete(name);
}

function heaviestOf(sums: ReadonlyMap<string, number>) {
  let heaviest: string | undefined;
  let most = 0;
  for (const [name, sum] of sums) {
    if (sum > most) [heaviest, most] = [name, sum];
  }
  return heaviest;
}
