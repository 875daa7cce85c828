export type Form = { [key: string]: string | Form };

/** Stripe's form encoding: `a[b][0]=c` becomes `{ a: { b: { 0: "c" } } }`. */
export function readForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll("]", "").split("[");
    const last = path.pop() ?? "";
    const owner = path.reduce((at, key) => branch(at, key), form);
    owner[last] = value;
  }
  return form;
}

export function textOf(form: Form, name: string): string {
  const value = form[name];
  return typeof value === "string" ? value : "";
}

export function branch(form: Form, name: string): Form {
  const value = form[name];
  if (value !== undefined && typeof value !== "string") return value;
  const made: Form = {};
  form[name] = made;
  return made;
}

export function textsOf(form: Form): Record<string, string> {
  return Object.fromEntries(Object.keys(form).map((name) => [name, textOf(form, name)]));
}
