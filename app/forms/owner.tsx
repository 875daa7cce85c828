import { createContext, useContext } from "react";

/** Carries whom a form's page was made for (`session/owner.server.ts`). */
export const OWNER_FIELD = "owner";

const OwnerContext = createContext("");

export const OwnerProvider = OwnerContext.Provider;

export const useOwner = () => useContext(OwnerContext);

/** The owner mark of a posted form. `PostForm` includes it. */
export function OwnerField() {
  return <input type="hidden" name={OWNER_FIELD} value={useOwner()} />;
}
