import { FORM_DRAFTS } from "../forms/form-drafts-event";
import { navigationType } from "./navigation-type";

/** A choice from a list has no `defaultValue`: those of drafts begin empty. */
type Field = Element & { name: string; value: string; defaultValue?: string };
/** What was typed, by field, and whether it was sent by the page before. */
type Draft = [values: Record<string, string>, isSent?: boolean];

const STORED = "forms";
/** No secrets. */
const TYPED = "[type=text],[type=email],[type=date],textarea,select";

/**
 * Keeps in this tab what is typed into the forms that ask for it, over a reload and a way elsewhere and back. The
 * draft of a form that was sent goes when the page after it is without that form: the site has taken it.
 */
export function keepFormDrafts() {
  const drafts = JSON.parse(sessionStorage.getItem(STORED) ?? "{}") as Record<string, Draft>;
  const store = () => sessionStorage.setItem(STORED, JSON.stringify(drafts));
  const keep = (form?: HTMLFormElement | null, isSent?: boolean) => {
    if (!form?.dataset.draft) return;
    const name = nameOf(form);
    const [values]: Draft = drafts[name] ?? [{}];
    for (const field of form.querySelectorAll<Field>(TYPED)) values[field.name] = field.value;
    drafts[name] = [values, isSent];
    store();
  };
  const renew = () => {
    const forms = [...document.querySelectorAll<HTMLFormElement>("[data-draft]")];
    for (const [name, [values, isSent]] of Object.entries(drafts)) {
      const form = forms.find((one) => nameOf(one) === name);
      if (form) drafts[name] = [values];
      else if (isSent) delete drafts[name];
      for (const field of form?.querySelectorAll<Field>(TYPED) ?? []) {
        const { name, value, defaultValue = "" } = field;
        // A field that was left empty keeps what the page brings, such as the beginning of a message.
        if (value === defaultValue) field.value = values[name] || value;
      }
    }
    store();
  };
  addEventListener("input", ({ target }) => keep((target as Partial<HTMLInputElement>).form));
  addEventListener(
    "submit",
    ({ target }) => target instanceof HTMLFormElement && keep(target, true),
  );
  addEventListener(FORM_DRAFTS, renew);
  renew();
  const restore = () => {
    for (const form of document.querySelectorAll<HTMLFormElement>("[data-draft]")) {
      // What the browser has restored may be somebody else's, who has signed out since: the draft tells whose it is.
      if (navigationType() !== "navigate") form.reset();
      // Somebody types here since before this script arrived.
      else if (form.contains(document.activeElement)) keep(form);
    }
    renew();
  };
  addEventListener("pageshow", restore, { once: true });
}

/** Each person has their own, so that nobody who signs in later in the same tab meets it. */
const nameOf = (form: HTMLFormElement) =>
  `${form.querySelector<HTMLInputElement>("[name=owner]")?.value}:${form.dataset.draft}`;
