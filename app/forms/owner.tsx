import { createContext, useContext } from "react";

/** Carries whom a form's page was made for (`session/owner.server.ts`). */
export const OWNER_FIELD = "owner";

const OwnerContext = createContext("");

export const OwnerProvider = OwnerContext.Provider;

export const useOwner = () => useContext(OwnerContext);

/** Stands in each posted form that counts who is signed in (`PostForm` brings it along). */
export function OwnerField() {
  return <input type="hidden" name={OWNER_FIELD} value={useOwner()} />;
}
