import { z } from "zod/v4";
import { uid } from "~/contract/primitives";

/** Removes a favorite: the button is its own, so that the article is all that is sent. */
export const dropForm = z.object({ article: uid });
