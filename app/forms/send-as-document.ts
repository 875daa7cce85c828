/** Sends a post of the router's again, as a page without script would; never returns to the router. */
export async function sendAsDocument(request: Request): Promise<never> {
  const { pathname, search } = new URL(request.url);
  const form = document.createElement("form");
  form.method = "post";
  form.action = pathname + search;
  for (const [name, value] of await request.formData()) {
    if (typeof value === "string") form.append(hiddenInput(name, value));
  }
  document.body.append(form);
  // A field may be named `submit`.
  HTMLFormElement.prototype.submit.call(form);
  // Who comes back to this page as it was left would find it waiting for ever.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  return new Promise(() => {});
}

/** Keeps a post, so that it can still be sent again once the router has read it. */
export function keepPost(request: Request): { sendAsDocument: () => Promise<never> } {
  const kept = request.clone();
  return { sendAsDocument: () => sendAsDocument(kept) };
}

function hiddenInput(name: string, value: string) {
  const input = document.createElement("input");
  input.type = "hidden";
  input.name = name;
  input.value = value;
  return input;
}
