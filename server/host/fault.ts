/** The reason why the site cannot start, in one sentence that names what to correct. */
export class StartFault extends Error {}

export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
