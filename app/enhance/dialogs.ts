/** Opens the dialogs that a page without script shows as a part of itself. */
export function showDialogs() {
  for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) {
    dialog.close();
    dialog.showModal();
  }
}
