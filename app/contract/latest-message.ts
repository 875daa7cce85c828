/** Id of the last message in the page of a thread: links from lists and mails lead to it. */
export const LATEST_MESSAGE = "latest";
