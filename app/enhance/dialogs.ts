import { isPlainClick } from "./plain-click";

/**
 * Shows as dialogs what a page without script shows as sections: those that come open, and those that a
 * link leads to. React takes them over as they are (`app/ui/dialog.tsx`).
 */
export function showDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    if (dialog.open) open(dialog);
    // A click beside the content is one on the dialog itself.
    dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  }
  addEventListener("click", (event) => {
    const dialog = dialogOf(event);
    if (!dialog || event.defaultPrevented) return;
    event.preventDefault();
    open(dialog);
  });
}

function open(dialog: HTMLDialogElement) {
  dialog.close();
  dialog.showModal();
}

/** The dialog of this page that a click on a link leads to. */
function dialogOf(event: MouseEvent): HTMLDialogElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const target = link?.hash && document.getElementById(link.hash.slice(1));
  return isPlainClick(event) && target instanceof HTMLDialogElement ? target : null;
}
