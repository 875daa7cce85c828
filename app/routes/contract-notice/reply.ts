import type { FormReply } from "~/forms/refuse.server";
import type { Notice } from "./form";

/** What a post answers: what is to be checked once more, the form to correct it, or errors. */
export type NoticeReply = { recap: Notice; day?: string } | { edit: Notice } | FormReply;
