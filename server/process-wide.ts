/**
 * One value for the whole process. The host and the Remix build are two bundles, each with modules of its own: under a
 * global symbol both find the same.
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`cap-celeste.${name}`);
  // The cast is safe: nothing else writes under this symbol.
  const holder = globalThis as { [key]?: { value: T } };
  return (holder[key] ??= { value: make() }).value;
}
