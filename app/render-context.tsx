import { createContext, useContext } from "react";
import type { Catalogues } from "./i18n/translate";

/** Values that only the server's render knows. In the browser they are empty. */
export type RenderContext = {
  nonce: string | undefined;
  buildId: string | undefined;
  catalogues: Catalogues | null;
};

const context = createContext<RenderContext>({
  nonce: undefined,
  buildId: undefined,
  catalogues: null,
});

export const RenderProvider = context.Provider;
export const useRender = () => useContext(context);
