/** The price before VAT and the VAT within it, in cents; the rate is in percent. */
export function vatWithin(amount: number, rate: number) {
  const beforeTax = Math.round(amount / (1 + rate / 100));
  return { rate, beforeTax, tax: amount - beforeTax };
}
