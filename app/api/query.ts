/** Arrays repeat the key, maps become `key[index]`, absent values are left out. */
export function encodeQuery(query: Record<string, unknown>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) append(search, key, value);
  return search;
}

function append(search: URLSearchParams, key: string, value: unknown) {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) append(search, key, item);
  } else if (typeof value === "object") {
    for (const [index, item] of Object.entries(value)) append(search, `${key}[${index}]`, item);
  } else {
    search.append(key, `${value as string | number | boolean}`);
  }
}
