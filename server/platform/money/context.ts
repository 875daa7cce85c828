import type { Context } from "../database/context";
import type { PaymentGateway } from "../ports/payment-gateway";

/** A context with the payment provider, which must never be called inside a transaction. */
export type ProviderContext = Context & { gateway: PaymentGateway };
