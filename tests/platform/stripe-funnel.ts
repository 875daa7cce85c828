import { FakeClock } from "../../server/platform/ports/clock";
import type { PlatformOptions } from "../../server/platform";
import type { OpenPlatform } from "../support/platform";
import { standInForStripe } from "../support/stripe-stand-in";
import { newPerson } from "./funnel";

export const MINUTE = 60_000;

/** A platform that takes payments by Stripe, and somebody with an account. */
export async function openWithStripe(open: OpenPlatform, options: Partial<PlatformOptions> = {}) {
  const clock = new FakeClock();
  const stripe = await standInForStripe(clock);
  const platform = await open({ ...options, clock, stripe: stripe.options });
  return { clock, stripe, platform, person: await newPerson(platform) };
}
