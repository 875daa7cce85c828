/** What an error says. One that stands for attempts at several addresses has no message, but the code of one. */
export function reasonOf(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return error.message || code || error.name;
}
