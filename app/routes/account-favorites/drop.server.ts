import { setFavorite } from "~/api/profile.server";
import { uid } from "~/contract/primitives";
import { refuseButton, refuseForeign } from "~/forms/refuse.server";
import { serverPaths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import { DROPPED } from "./dropped";
import { dropForm } from "./form";

/**
 * Removes a favorite, and leads back to its place in the list: the address of the post names the page and the
 * favorite beside the removed one. One that is no favorite any more counts as removed.
 */
export async function dropFavorite(visit: Visit, person: string, form: FormData) {
  const sent = dropForm.safeParse(Object.fromEntries(form));
  if (!sent.success) return refuseForeign(visit);
  const saved = await setFavorite(visit, person, sent.data.article, false);
  if (!saved.ok) return refuseButton(visit, saved.error, "dataError");
  visit.session.flash({ type: "success", key: "favoriteDropped" });
  return visit.redirect(`${listIn(visit)}#${DROPPED}`, { status: 303 });
}

/** The address of the list, of which only what a list can have comes back. */
function listIn({ url: { searchParams } }: Visit) {
  const [after, at] = ["after", "at"].map((name) => uid.safeParse(searchParams.get(name)).data);
  return serverPaths.accountFavorites({ after, at });
}
