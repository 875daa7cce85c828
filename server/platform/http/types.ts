import type { z } from "zod/v4";
import type { Roles } from "../../../app/contract/accounts";
import type { Endpoint } from "../../../app/contract/endpoint";
import type { EndpointName, Endpoints } from "../../../app/contract/endpoints";

/** The signed-in account of a bearer token, with its current roles. */
export type Principal = { uid: string; identifier: string; roles: Roles; sessionUid: string };

/** The principal of a request, and a new token when the old one is to be replaced. */
export type Authenticated = { principal: Principal; nextToken?: string | undefined };

export type Authenticate = (token: string) => Promise<Authenticated | null>;

/**
 * Calls whose answers depend on nothing of the principal but the roles: they are also answered to roles
 * without an account, for pages that all people with these roles get.
 */
export const CALLS_BY_ROLE: ReadonlySet<EndpointName> = new Set<EndpointName>([
  "getArticle",
  "listArticles",
  "listRelatedArticles",
  "listAuthors",
  "listCategories",
  "listTags",
  "getPage",
]);

type RequestOf<N extends EndpointName> = Endpoints[N]["request"];
type Part<N extends EndpointName, P extends string> =
  RequestOf<N> extends Record<P, infer S extends z.ZodType> ? z.output<S> : undefined;

/** A request that passed its schemas. */
export type Call<N extends EndpointName> = {
  params: Part<N, "params">;
  query: Part<N, "query">;
  headers: Part<N, "headers">;
  body: Part<N, "body">;
  principal: RequestOf<N> extends { authorization: "bearer" } ? Principal : Principal | null;
  /** Public origin of the site, without a final slash. */
  origin: string;
  /** The visitor's address as the site reports it; null without one. */
  clientAddress: string | null;
  /** The `User-Agent` of the visitor's browser; null without one. */
  clientAgent: string | null;
  /** The query as it was sent: the schema loses the order of its keys. */
  search: URLSearchParams;
};

type BodyOf<S> = S extends z.ZodType ? { body: z.input<S> } : { body?: undefined };

export type Answer<N extends EndpointName> =
  Endpoints[N] extends Endpoint<infer _R, infer A>
    ? { [S in keyof A]: { status: S & number } & BodyOf<A[S]> }[keyof A]
    : never;

export type Handler<N extends EndpointName> = (call: Call<N>) => Promise<Answer<N>>;

/** The handlers of one resource under `/api`. */
export type Handlers = { [N in EndpointName]?: Handler<N> };
