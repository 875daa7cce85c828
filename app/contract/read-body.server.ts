/**
 * Reads a body; null when it is larger than the limit. It counts the bytes while reading, because
 * `content-length` may lie.
 */
export async function readBodyUpTo(limit: number, request: Request): Promise<Buffer | null> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!request.body) return Buffer.alloc(0);
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
