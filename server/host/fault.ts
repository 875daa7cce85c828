/** Why the site cannot start, in one sentence that says what to mend. */
export class StartFault extends Error {}

export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
