import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { Config } from "../../app/config.server";
import type { Logger } from "../log";
import { remembered } from "../remembered";
import type { HostMiddleware } from "./http/request";
import { HOST_LENGTH } from "./request-line";

type Settings = Pick<Config, "trustedProxies" | "siteUrl">;

/** Only this file reads these headers. Later code sees the address and origin that were accepted. */
const HEADERS = {
  for: "x-forwarded-for",
  proto: "x-forwarded-proto",
  host: "x-forwarded-host",
} as const;

/** The peer of the connection and the unverified headers of its request. */
export type ForwardedHeaders = {
  peer: string;
  for?: string | undefined;
  proto?: string | undefined;
  host?: string | undefined;
};

/** The part of the claims that can be trusted. */
type Resolved = {
  clientAddress: string;
  /** Null when no trusted proxy sent it. */
  scheme: "http" | "https" | null;
  host: string | null;
  /** Number of trusted proxies that the request passed. */
  proxies: number;
};

/**
 * Sets the visitor's address and origin of each request from the headers of the proxies in
 * `TRUSTED_PROXIES`. Afterwards the forwarding headers are removed, and the URL and `Host`
 * of the request are the trusted ones.
 */
export function forwarding({ trustedProxies, siteUrl }: Settings, log: Logger): HostMiddleware {
  const resolve = originResolver(trustedProxies);
  const usual = usualScheme(siteUrl);
  let hasWarned = typeof trustedProxies === "number";
  return async (context, next) => {
    const claimed = readForwarded(context.env.incoming);
    const { clientAddress, scheme, host, proxies } = resolve(claimed);
    context.set("clientAddress", clientAddress);
    const isForwarded = [claimed.for, claimed.proto, claimed.host].some(
      (value) => value !== undefined,
    );
    if (isForwarded && proxies === 0 && !hasWarned) {
      hasWarned = true;
      log.warn(
        { peer: claimed.peer },
        "X-Forwarded headers of this peer are ignored; if it is a proxy of this site, name it in TRUSTED_PROXIES",
      );
    }
    const { raw } = context.req;
    const url = new URL(raw.url);
    const wanted = new URL(`${scheme ?? usual}://${host ?? url.host}`);
    const believed = wanted.origin + url.pathname + url.search;
    // Remix compares `Host` with `Origin`, in which browsers write no capitals and no usual port.
    const isSpeltOtherwise = context.req.header("host") !== wanted.host;
    if (isForwarded || isSpeltOtherwise || believed !== raw.url) {
      context.req.raw = readdressed(raw, believed);
    }
    return next();
  };
}

/** Where a request came from and which site it wants, as far as it can be trusted. */
export function originReader({ trustedProxies, siteUrl }: Settings) {
  const resolve = originResolver(trustedProxies);
  const usual = usualScheme(siteUrl);
  return (incoming: IncomingMessage) => {
    const { clientAddress, scheme, host, proxies } = resolve(readForwarded(incoming));
    return {
      clientAddress,
      isFromProxy: proxies > 0,
      origin: `${scheme ?? usual}://${host ?? incoming.headers.host ?? ""}`,
    };
  };
}

const usualScheme = (siteUrl: string | undefined) =>
  siteUrl?.startsWith("https:") ? "https" : "http";

function readForwarded(incoming: IncomingMessage): ForwardedHeaders {
  const header = (name: string) => incoming.headers[name]?.toString();
  return {
    peer: incoming.socket.remoteAddress ?? "",
    for: header(HEADERS.for),
    proto: header(HEADERS.proto),
    host: header(HEADERS.host),
  };
}

/** Copies the request without its body, which `bodyLimit` reads later. */
function readdressed(request: Request, url: string): Request {
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  for (const name of Object.values(HEADERS)) headers.delete(name);
  headers.set("host", new URL(url).host);
  return new Request(url, { method, headers, signal });
}

/**
 * Reads `X-Forwarded-For` from the right, where each proxy appends the address it saw. An entry is
 * trusted as long as a trusted proxy wrote it. Entries invented by the visitor stand further to the
 * left. Scheme and host come from the outermost trusted proxy.
 */
export function originResolver(
  trusted: Config["trustedProxies"],
): (claimed: ForwardedHeaders) => Resolved {
  const isTrusted = trustOf(trusted);
  return (claimed) => {
    const entries = entriesOf(claimed.for);
    let clientAddress = plain(claimed.peer);
    let proxies = 0;
    while (isTrusted(clientAddress, proxies)) {
      const before = plain(entries[proxies] ?? "");
      proxies++;
      if (isIP(before) === 0) break;
      clientAddress = before;
    }
    const outermost = (header: string | undefined) => {
      const values = entriesOf(header);
      return values[Math.min(proxies, values.length) - 1] ?? "";
    };
    return {
      clientAddress,
      proxies,
      scheme: schemeIn(outermost(claimed.proto)),
      host: hostIn(outermost(claimed.host)),
    };
  };
}

/**
 * Builds the check whether an address is a trusted proxy, given the number of proxies already
 * passed.
 */
function trustOf(trusted: Config["trustedProxies"]) {
  if (typeof trusted === "number") return (_: string, proxies: number) => proxies < trusted;
  const ours = new BlockList();
  for (const text of trusted) {
    const [network = "", prefix] = text.split("/");
    const family = familyOf(network);
    if (prefix === undefined) ours.addAddress(network, family);
    else ours.addSubnet(network, Number(prefix), family);
  }
  return remembered((address) => isIP(address) !== 0 && ours.check(address, familyOf(address)));
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** The entries in reverse order: the nearest proxy's first. */
const entriesOf = (header: string | undefined) =>
  header === undefined ? [] : header.split(",").reverse();

/**
 * The address in one form. IPv4 inside IPv6 is written as IPv4; the port that some proxies add and the
 * zone that sockets add are removed.
 */
const plain = remembered((text) => {
  const [address = ""] = text.trim().split("%", 1);
  const [, bracketed] = /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(address) ?? [];
  const [, withPort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? [];
  return (bracketed ?? withPort ?? address).replace(/^::ffff:(?=\d+\.)/i, "");
});

function schemeIn(text: string) {
  const scheme = text.trim().toLowerCase();
  return scheme === "http" || scheme === "https" ? scheme : null;
}

const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

const hostIn = remembered((text) => {
  const host = text.trim();
  return host.length <= HOST_LENGTH && HOST.test(host) && URL.canParse(`http://${host}`)
    ? host
    : null;
});
