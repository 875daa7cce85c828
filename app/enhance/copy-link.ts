/** Shows the copy buttons, where the browser has a clipboard, and confirms each copy. */
export function showCopyButtons() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => void copyAddress(button));
  }
}

async function copyAddress(button: HTMLButtonElement) {
  await navigator.clipboard.writeText(button.dataset.copy ?? location.href);
  const status = document.querySelector("[data-copy-status]");
  if (status) status.textContent = button.dataset.copied ?? "";
}
