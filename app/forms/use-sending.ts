import { useNavigation } from "@remix-run/react";
import type { FormEvent, FormEventHandler } from "react";

/** While a post is under way a second click does nothing; the server holds the rule anyway. */
export function useSending() {
  const busy = useNavigation().state !== "idle";
  const guard =
    (next?: FormEventHandler<HTMLFormElement>) => (event: FormEvent<HTMLFormElement>) => {
      if (busy) event.preventDefault();
      else next?.(event);
    };
  return { busy, guard };
}
