import type * as Entry from "../entry.client";
import { addressesOf, decodeHandoff, embeddedHandoff, type Handoff } from "../handoff";
import { reloadOnce } from "./reload-guard";

const TOUCHES = ["pointerdown", "focusin", "keydown"] as const;

/**
 * Lets React take over a page: at once, or when one of its forms is touched. Until then the page is plain
 * HTML, and so it stays if a script cannot be loaded.
 */
export function hydrate() {
  const json = embeddedHandoff();
  if (!json) return;
  const handoff = decodeHandoff(json);
  if (handoff.hydrate === "atOnce") void takeOver(handoff).catch(reloadOnce);
  else hydrateWhenTouched(handoff);
}

function hydrateWhenTouched(handoff: Handoff) {
  let isBusy = false;
  let isSent = false;
  const onTouch = (event: Event) => {
    if (!isTouch(event)) return;
    isSent = false;
    if (isBusy) return;
    isBusy = true;
    takeOver(handoff, () => !isSent)
      .then((isDone) => isDone && stop())
      // The next touch tries again.
      .catch(() => undefined)
      .finally(() => (isBusy = false));
  };
  // A form that is on its way leaves the page: its answer is another one.
  const onSubmit = () => {
    isSent = true;
  };
  const stop = () => {
    for (const type of TOUCHES) removeEventListener(type, onTouch, true);
    removeEventListener("submit", onSubmit, true);
  };
  for (const type of TOUCHES) addEventListener(type, onTouch, true);
  addEventListener("submit", onSubmit, true);
}

/** Whether the event is in a form. The browser itself puts the focus where the page asks for it. */
function isTouch({ type, target }: Event) {
  if (!(target instanceof Element)) return false;
  return !(type === "focusin" && target.matches("[autofocus]")) && target.closest("form") !== null;
}

/** Loads all modules side by side, then starts React. Resolves to whether it did. */
async function takeOver(handoff: Handoff, mayStart = () => true) {
  const { context, data, modules, texts, formTexts } = handoff;
  if (import.meta.env.DEV && modules.runtime) await load(modules.runtime);
  const [entry, forms] = await Promise.all([
    load<typeof Entry>(modules.entry),
    read(formTexts),
    ...addressesOf(modules).map((address) => load(address)),
  ]);
  if (!mayStart()) return false;
  const routes = Object.entries(modules.routes).map(
    async ([id, address]) => [id, await load(address)] as const,
  );
  // What Remix's own inline scripts do (`Scripts` and `StreamTransfer` of @remix-run/react).
  Object.assign(window, {
    __remixContext: { ...context, stream: new Response(data).body },
    __remixRouteModules: Object.fromEntries(await Promise.all(routes)),
  });
  await entry.hydratePage({ ...texts, forms });
  return true;
}

type Texts = Handoff["texts"][string];

/** What stands there instead of a file that a release has replaced is no JSON, and fails as a script does. */
const read = (address: string): Promise<Texts> =>
  // The cast is safe: it is a file of our own build.
  fetch(address).then((answer) => answer.json() as Promise<Texts>);

const load = <Module>(address: string): Promise<Module> => import(/* @vite-ignore */ address);
