import Stripe from "stripe";

/**
 * Stripe's client repeats a failed call at once in tests: with the pause of half a second or more that it usually
 * makes, a day of hourly attempts against a stand-in that is down took twenty seconds of waiting.
 */
Stripe.prototype.getInitialNetworkRetryDelay = () => 0;
Stripe.prototype.getMaxNetworkRetryDelay = () => 0;
