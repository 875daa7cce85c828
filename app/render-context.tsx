import { createContext, useContext } from "react";
import type { ServerHandoff } from "./handoff";

/** Values that only the server's render knows. In the browser they are undefined. */
export type RenderContext = {
  buildId: string | undefined;
  /** Null for a page that does not hydrate. */
  handoff: ServerHandoff | null | undefined;
};

const context = createContext<RenderContext>({ buildId: undefined, handoff: undefined });

export const RenderProvider = context.Provider;
export const useRender = () => useContext(context);
