import type { Attachment } from "mailparser";

/** Below it a picture inside the text is taken for part of a signature. */
const SIGNATURE_IMAGE_BYTES = 20 * 1024;

/** Proofs and keys that mail programs add by themselves. */
const PROOFS = /^application\/(?:x-)?(?:pkcs7-signature|pgp-signature|pgp-keys)$/;

/** What somebody meant to send along. */
export const countAttachments = (attachments: readonly Attachment[]) =>
  attachments.filter((one) => !PROOFS.test(one.contentType) && !isOfSignature(one)).length;

function isOfSignature({ contentType, contentDisposition, related, size }: Attachment) {
  const isInside = related || contentDisposition === "inline";
  return isInside && contentType.startsWith("image/") && size < SIGNATURE_IMAGE_BYTES;
}
