/** The name on the bank statement. */
export const STATEMENT_NAME = "CAP CELESTE PARIS";

export const bankingService = (origin: string) => ({ name: STATEMENT_NAME, url: origin });
