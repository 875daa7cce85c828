import type { FormReply } from "~/forms/refuse.server";
import type { Notice } from "./form";

/** Answer of a post: the recap to check, the form to correct it, or errors. */
export type NoticeReply = { recap: Notice; day?: string } | { edit: Notice } | FormReply;
