/** Pattern of an e-mail address as it stands in a mail's header, without the quoted forms that nobody uses. */
export const MAIL_ADDRESS = String.raw`[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+`;
