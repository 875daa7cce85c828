/** Of Stripe: its keys say whether they move real money. */
export const isLiveKey = (key = "") => /^(?:sk|rk)_live_/.test(key);
