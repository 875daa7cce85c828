import { createContext, useContext } from "react";
import type { Handoff } from "./handoff";

/** Values that only the server's render knows. In the browser they are undefined. */
export type RenderContext = {
  buildId: string | undefined;
  /** Null for a page that does not hydrate. */
  handoff: Handoff | null | undefined;
};

const context = createContext<RenderContext>({ buildId: undefined, handoff: undefined });

export const RenderProvider = context.Provider;
export const useRender = () => useContext(context);
