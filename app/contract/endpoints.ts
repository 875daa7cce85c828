import { accountsEndpoints } from "./endpoints/accounts";
import { contentEndpoints } from "./endpoints/content";
import { deskEndpoints } from "./endpoints/desk";
import { subscriptionsEndpoints } from "./endpoints/subscriptions";
import { supportEndpoints } from "./endpoints/support";

/** Every call that crosses `/api`: docs/interface.md. */
export const endpoints = {
  ...accountsEndpoints,
  ...subscriptionsEndpoints,
  ...contentEndpoints,
  ...supportEndpoints,
  ...deskEndpoints,
};

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
