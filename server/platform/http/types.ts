import type { z } from "zod/v4";
import type { Roles } from "../../../app/contract/accounts";
import type { Endpoint } from "../../../app/contract/endpoint";
import type { EndpointName, Endpoints } from "../../../app/contract/endpoints";

/** The signed-in person behind a bearer token, with the roles of now. */
export type Principal = { uid: string; identifier: string; roles: Roles; sessionUid: string };

/** Who a request's credentials belong to, and the token to use from now on if it changed. */
export type Authenticated = { principal: Principal; nextToken?: string | undefined };

export type Authenticate = (token: string) => Promise<Authenticated | null>;

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
  /** The visitor's, as the site told it; null when nobody did. */
  clientAddress: string | null;
  /** Of the visitor's browser, as it names itself; null when nobody told. */
  clientAgent: string | null;
  request: Request;
};

type BodyOf<S> = S extends z.ZodType ? { body: z.input<S> } : { body?: undefined };

export type Answer<N extends EndpointName> =
  Endpoints[N] extends Endpoint<infer _R, infer A>
    ? { [S in keyof A]: { status: S & number } & BodyOf<A[S]> }[keyof A]
    : never;

export type Handler<N extends EndpointName> = (call: Call<N>) => Promise<Answer<N>>;

/** What a resource brings to `/api`. */
export type Handlers = { [N in EndpointName]?: Handler<N> };
