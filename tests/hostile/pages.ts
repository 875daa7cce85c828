import fc from "fast-check";
import { paths, TEXT_PAGES } from "~/paths";
import { place } from "./familiar";
import { encodePart, type SentRequest } from "./request";
import { hostileQuery } from "./values";

const ticket = place("ownTicket");
const t = `t=${place("supportToken")}`;

/** Valid addresses of pages. `tricks.ts` adds the faults. */
export const ADDRESSES = [
  "/",
  "/articles",
  "/article",
  "/article/lire-son-theme-natal",
  "/drafts/lire-son-theme-natal?token=none",
  ...TEXT_PAGES.map(paths.text),
  "/site-map",
  paths.termsVersion("0".repeat(64)),
  "/registration",
  "/registration/payment",
  "/registration/welcome",
  "/registration/success",
  "/registration/release?token=none",
  "/registration/welcome/failure",
  "/registration/failure",
  "/callback/payment?cashback=0&success=1",
  "/cookies?to=/articles",
  "/translation?to=/articles",
  "/login",
  "/logout",
  "/reset-password",
  "/reset-password/update?token=none",
  "/account",
  "/account/favorites",
  "/account/favorites?after=lire-son-theme-natal&at=ascendant-porte-d-entree",
  "/account/data",
  "/account/email",
  "/account/email/confirm?token=none",
  "/account/export",
  "/account/subscription",
  "/account/contract",
  "/account/payments",
  `/account/payments/${place("ownPayment")}`,
  "/account/subscription/undo",
  "/contact",
  "/contact/new-ticket",
  "/contact/link",
  `/contact/tickets?${t}`,
  `/contact/tickets/${ticket}?${t}`,
  `/contact/tickets/${place("denseTicket")}?${t}`,
  `/contact/tickets/${place("denseTicket")}?${t}&since=${place("denseMessage")}`,
  `/desk/${place("denseTicket")}`,
  "/coaching",
  "/coaching/new-discussion",
  `/coaching/${place("ownDiscussion")}`,
  "/desk",
  `/desk/${place("otherTicket")}`,
  "/cancel-contract",
  "/cancel-contract/undo?token=none",
  "/withdrawal",
  "/withdrawal/confirm?token=none",
  "/page404",
  "/robots.txt",
  "/sitemap.xml",
  "/sitemap/1.xml",
  "/medias/orbites.svg",
  "/feed.xml",
  "/feed/signes.xml",
  "/article/lire-son-theme-natal/picture.png",
  "/builds/latest.json",
  "/api",
  "/api/",
  "/api/openapi.json",
  "/api/nothing",
  "/healthz",
  "/assets/nothing.js",
  "/favicon.ico",
  `/api/sandbox/pay/${place("bank")}`,
];

/** Parameters that pages read from their query. */
const QUERIES = [
  "q",
  "after",
  "v",
  "cursor",
  "since",
  "at",
  "categories",
  "authors",
  "tags",
  "sort",
  "returnTo",
  "t",
  "token",
  "status",
  "query",
  "type",
  "assignee",
  "sent",
  "worn",
  "carried",
  "formula",
  "trafficToken",
  "affiliation",
  "platform",
  "category",
  "success",
  "cashback",
  "lng",
  "message",
];

export const pageRequest: fc.Arbitrary<SentRequest> = fc
  .record({
    sender: fc.constantFrom<SentRequest["sender"]>("nobody", "nobody", "vip", "coach"),
    address: fc.constantFrom(...ADDRESSES),
    asData: fc.nat(3).map((n) => n > 0),
    query: fc.array(fc.tuple(fc.constantFrom(...QUERIES), hostileQuery), { maxLength: 2 }),
  })
  .map(({ sender, address, asData, query }) => {
    const path = asData && !address.startsWith("/api") ? dataOf(address) : address;
    const added = query.map(([name, value]) => `${name}=${encodePart(value)}`).join("&");
    const joint = path.includes("?") ? "&" : "?";
    return {
      kind: "request",
      target: `GET ${address.replace(/\?.*/, "")}`,
      sender,
      method: "GET",
      path: added ? path + joint + added : path,
      headers: {},
      body: "",
      encoding: "utf8",
    };
  });

const dataOf = (address: string) =>
  address === "/" ? "/_root.data" : address.replace(/(?=\?|$)/, ".data");
