import { z } from "zod/v4";
import { moment, uid } from "../../../app/contract/primitives";
import { comparablePath } from "./redirections";
import { applyTypography } from "./typography";

const TITLE_LENGTH = 200;
const SUMMARY_LENGTH = 500;
const MENU_LAST = 1_000_000;

const line = (length: number) =>
  z
    .string()
    .trim()
    .min(1, "is empty")
    .max(length, `is longer than ${length} characters`)
    .regex(/^\P{Cc}*$/u, "must stand on one line")
    .transform((text) => applyTypography(text));
const title = line(TITLE_LENGTH);
const summary = line(SUMMARY_LENGTH);
const known = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, "is no uid (letters, digits, - and _)");
const order = z.int32();

/** Times are stored in UTC, so that they sort as text. */
const date = z
  .string()
  .transform((text) => (isMoment(text) && text.includes("T") ? new Date(text).toISOString() : text))
  .refine(isMoment, "must be a day (2026-03-14) or a moment (2026-03-14T09:00:00Z)");

const uids = z
  .array(known)
  .refine((list) => new Set(list).size === list.length, "names one uid twice");

const address = z
  .string()
  .regex(/^(?:\/(?!\/)|https:\/\/[^/\s])[^\s\\]*$/, "must be /path or https://…");

/** Schema of the front matter of each kind of file. */
export const formats = {
  authors: z.strictObject({ name: title, role: title.optional(), order }),
  categories: z.strictObject({ name: title, order }),
  tags: z.strictObject({ name: title, order }),
  articles: z.strictObject({
    title,
    summary,
    author: known,
    category: known,
    tags: uids.default([]),
    date,
    access: z.enum(["vip", "public"], "must be vip or public"),
    related: uids.default([]),
    /** Not published before this is removed. */
    draft: z.boolean("must be true or false").default(false),
    /** Earlier uids of the article, whose addresses lead to it from now on. */
    formerly: uids.default([]),
    /** Place in the editorial order; articles without one come last. */
    menu: z.int().min(0).max(MENU_LAST).default(MENU_LAST),
  }),
  pages: z.strictObject({
    title,
    summary,
    date,
    /** Terms: the day from which running contracts follow a changed text, a month ahead or more. */
    applies: z.iso.date("must be a day (2027-01-01)").optional(),
  }),
  medias: z.strictObject({
    title,
    mimeType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, "must be like image/png"),
    url: address,
    date,
    author: known.optional(),
  }),
};

export type Kind = keyof typeof formats;
export type Front<K extends Kind> = z.output<(typeof formats)[K]>;

export const redirects = z.array(
  z
    .strictObject({
      path: z
        .string()
        .regex(/^\/(?!\/)[^\s?#\\]*$/, "must be /path, without ? and #")
        .transform(comparablePath),
      target: address,
      status: z.union([z.literal(301), z.literal(302)], "must be 301 or 302"),
    })
    .refine(({ path, target }) => comparablePath(target) !== path, {
      path: ["target"],
      message: "leads to itself",
    }),
);

/** The uid of an entry is its file name without `.md`. */
export const isUid = (name: string) => uid.safeParse(name).success;

function isMoment(text: string) {
  return moment.safeParse(text).success;
}
