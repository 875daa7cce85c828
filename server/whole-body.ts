const texts = new WeakMap<Response, string>();

/**
 * An answer of JSON whose text stays known until it is sent: to read it back from the body's stream takes a
 * tenth of a small call.
 */
export function jsonAnswer(value: unknown, { status, headers }: Head): Response {
  const text = JSON.stringify(value);
  const type = { "content-type": "application/json" };
  const response = new Response(text, { status, headers: { ...type, ...headers } });
  texts.set(response, text);
  return response;
}

type Head = { status: number; headers: Record<string, string> };

/** The body of an answer of `jsonAnswer`; undefined for others, whose body is a stream. */
export const wholeTextOf = (response: Response): string | undefined => texts.get(response);

const sharedBytes = new WeakMap<Response, Uint8Array<ArrayBuffer>>();

/** An answer of JSON that is the same for many: its bytes are in memory once, however many are being sent. */
export function sharedJsonAnswer(bytes: Uint8Array<ArrayBuffer>): Response {
  const response = new Response(bytes, { headers: { "content-type": "application/json" } });
  sharedBytes.set(response, bytes);
  return response;
}

/** The body of an answer of `sharedJsonAnswer`; undefined for others. */
export const sharedBytesOf = (response: Response) => sharedBytes.get(response);
