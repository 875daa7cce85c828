import { createContext, useContext } from "react";
import type { ServerHandoff } from "./handoff";
import type { Shell } from "./session/shell.server";

/** Values that only the server's render knows. In the browser they are undefined. */
export type RenderContext = {
  buildId: string | undefined;
  /** Null for a page that does not hydrate. */
  handoff: ServerHandoff | null | undefined;
  shell: Shell | undefined;
};

const context = createContext<RenderContext>({
  buildId: undefined,
  handoff: undefined,
  shell: undefined,
});

export const RenderProvider = context.Provider;
export const useRender = () => useContext(context);
