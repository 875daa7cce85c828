/** What an error says. An error of attempts at several addresses has no message, only a code. */
export function reasonOf(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return error.message || code || error.name;
}
