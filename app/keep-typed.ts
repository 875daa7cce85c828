type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Fields of a person. Hidden ones are the page's own. */
const FIELDS = "input:not([type=hidden]), textarea, select";

/**
 * Keeps what was typed before React takes over the page, and what is typed meanwhile. `restore` is for a
 * page that React draws anew, because an extension of the browser had changed it.
 */
export function keepTyped() {
  document.querySelectorAll("textarea").forEach(keepFromReset);
  const before = fieldsByName();
  const focused = document.activeElement;
  const restore = () => {
    const drawn = fieldsByName();
    for (const [name, fields] of before) {
      fields.forEach((field, index) => {
        const now = drawn.get(name)?.[index];
        if (!now || now === field || now.type !== field.type) return;
        copyTyped(field, now);
        if (field === focused) moveFocus(field, now);
      });
    }
    before.clear();
  };
  return { restore };
}

/**
 * React 18 sets a text area back to its first text if that is still its content (`postMountWrapper` of
 * `ReactDOMTextarea`). Without content the value stays: assigned once, it no longer follows the content.
 */
function keepFromReset(area: HTMLTextAreaElement) {
  const { value } = area;
  area.value = value;
  area.textContent = "";
}

function fieldsByName() {
  const found = new Map<string, Field[]>();
  for (const field of document.querySelectorAll<Field>(FIELDS)) {
    const name = `${field.form?.id} ${field.name}`;
    found.set(name, [...(found.get(name) ?? []), field]);
  }
  return found;
}

function copyTyped(from: Field, to: Field) {
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) to.checked = from.checked;
  to.value = from.value;
}

function moveFocus(from: Field, to: Field) {
  to.focus({ preventScroll: true });
  if (from instanceof HTMLSelectElement || to instanceof HTMLSelectElement) return;
  // Null for a kind of field without a caret of its own, such as e-mail.
  if (from.selectionStart !== null) to.setSelectionRange(from.selectionStart, from.selectionEnd);
}
