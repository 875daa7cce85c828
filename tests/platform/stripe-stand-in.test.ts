import Stripe from "stripe";
import { expect, it } from "vitest";
import { FakeClock } from "../../server/platform/ports/clock";
import { SECRET_KEY, standInForStripe } from "../support/stripe-stand-in";

/** One call as it goes over the wire, whatever its types say. */
async function ask(method: string, path: string, params: Record<string, unknown>) {
  const { options } = await standInForStripe(new FakeClock());
  const { hostname: host, port } = new URL(options.apiBase);
  const stripe = new Stripe(SECRET_KEY, { protocol: "http", host, port, maxNetworkRetries: 0 });
  try {
    await stripe.rawRequest(method, path, params);
    return "accepted";
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    return `${error.statusCode} ${error.code} ${error.param}`;
  }
}

const page = {
  mode: "payment",
  customer: "cus_x",
  success_url: "https://cap.example",
  expires_at: 4_000_000_000,
  payment_intent_data: { setup_future_usage: "off_session" },
};
const line = (cents: number) => ({
  quantity: 1,
  price_data: { currency: "eur", unit_amount: cents, product_data: { name: "VIP" } },
});
const charge = { amount: 990, currency: "eur" };

it.each([
  ["an unknown parameter", "/v1/customers", { mail: "a@b.fr" }, "parameter_unknown mail"],
  [
    "an unknown parameter further in",
    "/v1/checkout/sessions",
    { ...page, payment_intent_data: { capture: true } },
    "parameter_unknown payment_intent_data[capture]",
  ],
  [
    "a value outside its enum",
    "/v1/checkout/sessions",
    { ...page, mode: "pay" },
    "parameter_invalid_enum mode",
  ],
  [
    "a value outside an enum in a list",
    "/v1/payment_intents",
    { ...charge, allowed_payment_method_types: ["card", "cash"] },
    "parameter_invalid_enum allowed_payment_method_types[1]",
  ],
  [
    "metadata that is no text",
    "/v1/customers",
    { metadata: { a: { b: 1 } } },
    "parameter_invalid_enum metadata[a]",
  ],
  [
    "an unknown parameter in the address",
    "/v1/customers?mail=a@b.fr",
    { email: "a@b.fr" },
    "parameter_unknown mail",
  ],
  [
    "words for a number",
    "/v1/payment_intents",
    { ...charge, amount: "9.90 €" },
    "parameter_invalid_integer amount",
  ],
  ["a missing parameter", "/v1/payment_intents", { amount: 990 }, "parameter_missing currency"],
  [
    "one where a list is wanted",
    "/v1/refunds",
    { expand: "charge" },
    "parameter_invalid_array expand",
  ],
  [
    "a reason that does not exist",
    "/v1/refunds",
    { reason: "regret" },
    "parameter_invalid_enum reason",
  ],
  [
    "a page that charges nothing",
    "/v1/checkout/sessions",
    { ...page, line_items: [line(0)] },
    "amount_too_small undefined",
  ],
  [
    "a page that charges too little",
    "/v1/checkout/sessions",
    { ...page, line_items: [line(49)] },
    "amount_too_small undefined",
  ],
  [
    "a longer text beside its button",
    "/v1/checkout/sessions",
    {
      ...page,
      line_items: [line(50)],
      custom_text: { submit: { message: "a".repeat(1201) } },
    },
    "string_too_long custom_text[submit][message]",
  ],
])("the stand-in refuses %s as Stripe does", async (_, path, params, refusal) => {
  expect(await ask("POST", path, params)).toBe(`400 ${refusal}`);
});

it("the stand-in accepts what the published types accept", async () => {
  expect(await ask("POST", "/v1/customers", { email: "a@b.fr", metadata: { any: "name" } })).toBe(
    "accepted",
  );
});
