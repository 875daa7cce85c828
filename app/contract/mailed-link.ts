/** Query parameter of mailed links: the secret that opens tickets without an account. */
export const SECRET_PARAMETER = "t";
