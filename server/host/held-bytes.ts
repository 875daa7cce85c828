const MIB = 1024 * 1024;

/** Bytes that may be held at the same time: for one network address, and for all. */
const MAX_BYTES = { ofSubject: 8 * MIB, ofAll: 128 * MIB };

export type HeldBytes = ReturnType<typeof heldBytes>;

/** Counts the bytes of large bodies that are in memory until their requests are answered. */
export function heldBytes(max = MAX_BYTES) {
  let all = 0;
  const bySubject = new Map<string, number>();
  return {
    /** Counts further bytes; false, and nothing is counted, when they would be too many. */
    take(subject: string, bytes: number): boolean {
      const own = (bySubject.get(subject) ?? 0) + bytes;
      if (own > max.ofSubject || all + bytes > max.ofAll) return false;
      all += bytes;
      bySubject.set(subject, own);
      return true;
    },
    release(subject: string, bytes: number) {
      if (bytes === 0) return;
      all -= bytes;
      const own = (bySubject.get(subject) ?? 0) - bytes;
      if (own > 0) bySubject.set(subject, own);
      else bySubject.delete(subject);
    },
  };
}
