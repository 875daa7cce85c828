import { z } from "zod/v4";
import type { ConfiguredSite } from "../database/context";
import type { Database } from "../database/tables";
import type { Payment } from "./payments";

const stored = z.object({
  imprint: z.string(),
  vatNumber: z.string(),
  email: z.string(),
  phone: z.string(),
  statement: z.string(),
  vatRate: z.number().nullable(),
});

/** What a receipt says of its seller, with the rate of VAT and the name on the statement of the card. */
type ReceiptSeller = z.infer<typeof stored>;

const sellerOf = ({
  imprint,
  seller,
  statementDescriptor,
  vatRate,
}: ConfiguredSite): ReceiptSeller => ({
  imprint,
  vatNumber: seller.vat,
  email: seller.email,
  phone: seller.phone,
  statement: statementDescriptor,
  vatRate,
});

/** What is stored with a payment once it is made: its receipt stays as it was mailed, whatever is set later. */
export const sellerColumn = (site: ConfiguredSite) => JSON.stringify(sellerOf(site));

/** The seller on the receipt of a payment; null for one that was not made. */
export const storedSeller = ({ seller }: Pick<Payment, "seller">): ReceiptSeller | null =>
  seller === null ? null : stored.parse(JSON.parse(seller));

/** The present seller stands on the page of a payment that was not made. */
export const readSeller = (payment: Pick<Payment, "seller">, site: ConfiguredSite) =>
  storedSeller(payment) ?? sellerOf(site);

/** Payments that are older than the column get the present seller, which their pages showed until then. */
export async function fillSellers(db: Database, site: ConfiguredSite) {
  const refunded = db.selectFrom("refund").select("payment_uid");
  await db
    .updateTable("payment")
    .set({ seller: sellerColumn(site) })
    .where("seller", "is", null)
    .where((e) => e.or([e("status", "=", "success"), e("uid", "in", refunded)]))
    .execute();
}
