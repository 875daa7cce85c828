/**
 * Repeats the router's post as a plain document post. The promise never settles: the page is left.
 */
export async function sendAsDocument(request: Request): Promise<never> {
  const { pathname, search } = new URL(request.url);
  const form = document.createElement("form");
  form.method = "post";
  form.action = pathname + search;
  for (const [name, value] of await request.formData()) {
    if (typeof value === "string") form.append(hiddenInput(name, value));
  }
  document.body.append(form);
  // A field named `submit` would hide the method.
  HTMLFormElement.prototype.submit.call(form);
  // If the Back button restored this page, it would wait for ever.
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
