import { FORM_DRAFT_PREFIX as PREFIX, FORM_DRAFTS } from "../forms/form-draft";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Draft = { values: Record<string, string>; key?: string | undefined; isSent?: boolean };

/** What people type, no secret. Hidden fields are the page's own. */
const TYPED =
  "input:not([type=hidden],[type=password],[type=checkbox],[type=radio]), textarea, select";
const KEY_FIELD = "[name=idempotencyKey]";

/**
 * Keeps in this tab what is typed into the forms that ask for it, over a reload and a way elsewhere and back. The
 * draft of a form that was sent goes with the first page without that form: the site has taken it.
 */
export function keepFormDrafts() {
  addEventListener("input", ({ target }) => {
    const form = (target as Partial<Field>).form;
    if (form && draftOf(form)) saveDraft(form);
  });
  // Before React reads the form.
  addEventListener("submit", ({ target }) => sendDraft(target as HTMLFormElement), true);
  // React draws forms without a new page.
  addEventListener(FORM_DRAFTS, renewDrafts);
  renewDrafts();
}

const draftOf = (form: HTMLFormElement) => form.dataset.draft;

function saveDraft(form: HTMLFormElement) {
  const values: Draft["values"] = {};
  for (const { name, value } of form.querySelectorAll<Field>(TYPED)) values[name] = value;
  store(form, { values, key: form.querySelector<HTMLInputElement>(KEY_FIELD)?.value });
}

function sendDraft(form: HTMLFormElement) {
  const draft = readDraft(draftOf(form));
  if (!draft) return;
  const field = form.querySelector<HTMLInputElement>(KEY_FIELD);
  // It was sent before, and the answer never came: under its key it counts once.
  if (field && draft.isSent && draft.key) field.value = draft.key;
  store(form, { ...draft, key: field?.value, isSent: true });
}

function renewDrafts() {
  const forms = [...document.querySelectorAll<HTMLFormElement>("form[data-draft]")];
  const names = forms.map(draftOf);
  for (const name of Object.keys(sessionStorage)) {
    const isOver = name.startsWith(PREFIX) && !names.includes(name) && readDraft(name)?.isSent;
    if (isOver) sessionStorage.removeItem(name);
  }
  for (const form of forms) restoreDraft(form);
}

function restoreDraft(form: HTMLFormElement) {
  const { values = {} } = readDraft(draftOf(form)) ?? {};
  for (const field of form.querySelectorAll<Field>(TYPED)) {
    const value = values[field.name];
    if (value !== undefined && isUntouched(field)) field.value = value;
  }
}

const isUntouched = (field: Field) =>
  "defaultValue" in field ? field.value === field.defaultValue : field.value === "";

function readDraft(name: string | undefined): Draft | null {
  const json = name === undefined ? null : sessionStorage.getItem(name);
  return json === null ? null : (JSON.parse(json) as Draft);
}

function store(form: HTMLFormElement, draft: Draft) {
  sessionStorage.setItem(draftOf(form) ?? "", JSON.stringify(draft));
}
