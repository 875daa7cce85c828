import type { Attachment } from "mailparser";

/** A smaller picture inside the text is taken for part of a signature. */
const SIGNATURE_IMAGE_BYTES = 20 * 1024;

/** Signatures and keys that mail programs add by themselves. */
const PROOFS = /^application\/(?:x-)?(?:pkcs7-signature|pgp-signature|pgp-keys)$/;

/** Counts the attachments that the sender added on purpose. */
export const countAttachments = (attachments: readonly Attachment[]) =>
  attachments.filter((one) => !PROOFS.test(one.contentType) && !isOfSignature(one)).length;

function isOfSignature({ contentType, contentDisposition, related, size }: Attachment) {
  const isInside = related || contentDisposition === "inline";
  return isInside && contentType.startsWith("image/") && size < SIGNATURE_IMAGE_BYTES;
}
