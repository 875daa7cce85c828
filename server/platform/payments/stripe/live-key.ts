/** Stripe's keys say by their prefix whether they move real money. */
export const isLiveKey = (key = "") => /^(?:sk|rk)_live_/.test(key);
