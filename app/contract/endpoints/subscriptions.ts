import { z } from "zod/v4";
import { endpoint, optional } from "../endpoint";
import * as notices from "../notices";
import { cursor, linkSecret, pageLength, pageOf, single, uid } from "../primitives";
import * as subscriptions from "../subscriptions";
import { byUid, ownUid, signedIn } from "./parts";

const keyRequired = { headers: z.object({ "idempotency-key": subscriptions.idempotencyKey }) };

/** Formulas, offers, payments, cancellation and withdrawal. */
export const subscriptionsEndpoints = {
  getFormula: endpoint("GET /formulas/{uid}", byUid, { 200: single(subscriptions.formula) }, [404]),
  getTrafficToken: endpoint(
    "GET /traffic-tokens/{uid}",
    byUid,
    { 200: single(subscriptions.trafficToken) },
    [404],
  ),
  getOffer: optional(
    endpoint(
      "GET /offers",
      { query: subscriptions.offerQuery },
      { 200: single(subscriptions.offer) },
      [404],
    ),
  ),
  getBankingService: endpoint(
    "GET /banking-service",
    {},
    { 200: single(subscriptions.bankingService) },
    [404],
  ),
  getSubscription: endpoint(
    "GET /subscriptions",
    signedIn,
    { 200: single(subscriptions.subscription) },
    [401, 404],
  ),
  getLastPayment: optional(
    endpoint(
      "GET /subscriptions/payment",
      signedIn,
      { 200: single(subscriptions.payment) },
      [401, 404],
    ),
  ),
  listPayments: optional(
    endpoint(
      "GET /subscriptions/payments",
      {
        ...signedIn,
        query: z.object({ after: cursor.optional(), length: pageLength.optional() }),
      },
      { 200: pageOf(subscriptions.listedPayment) },
      [401, 404],
    ),
  ),
  getPayment: optional(
    endpoint(
      "GET /subscriptions/payments/{uid}",
      ownUid,
      { 200: single(subscriptions.paymentReceipt) },
      [401, 404],
    ),
  ),
  getContractProof: optional(
    endpoint(
      "GET /subscriptions/proof",
      { ...signedIn, query: z.object({ reference: uid.optional() }) },
      { 200: single(subscriptions.contractProof) },
      [401, 404],
    ),
  ),
  pay: endpoint(
    "POST /subscriptions",
    { ...signedIn, ...keyRequired, body: subscriptions.paymentRequest },
    { 200: single(subscriptions.paymentAnswer) },
    [401, 404, 409],
  ),
  subscribe: endpoint(
    "POST /subscriptions/subscribe",
    { ...signedIn, ...keyRequired, body: subscriptions.subscribeRequest },
    { 200: single(subscriptions.paymentAnswer) },
    [401, 404, 409],
  ),
  createPaymentLink: endpoint(
    "POST /subscriptions/payment-link",
    { ...signedIn, body: subscriptions.paymentLinkRequest },
    { 201: single(subscriptions.paymentLink) },
    [401, 404, 409],
  ),
  unsubscribe: endpoint(
    "POST /subscriptions/unsubscribe",
    { ...signedIn, body: z.object({}) },
    { 202: single(subscriptions.unsubscribing) },
    [401, 404, 409],
  ),
  notifyCancellation: endpoint(
    "POST /cancellations",
    { body: notices.contractNotice },
    { 202: single(notices.contractNoticeReceipt) },
  ),
  previewCancellation: optional(
    endpoint(
      "POST /subscriptions/cancellation/preview",
      { ...signedIn, body: notices.contractNotice },
      { 200: single(notices.cancellationPreview) },
      [401, 404],
    ),
  ),
  notifyWithdrawal: endpoint(
    "POST /withdrawals",
    { body: notices.contractNotice },
    { 202: single(notices.contractNoticeReceipt) },
  ),
  undoUnsignedNotices: optional(
    endpoint(
      "POST /subscriptions/unsigned-notices/undo",
      { ...signedIn, body: notices.undeclaring },
      { 200: single(notices.undoing) },
      [401, 404],
    ),
  ),
  previewUndoUnsignedNotices: optional(
    endpoint(
      "POST /subscriptions/unsigned-notices/undo/preview",
      { ...signedIn, body: z.object({}) },
      { 200: single(notices.undoPreview) },
      [401, 404],
    ),
  ),
  previewUndoCancellation: optional(
    endpoint(
      "POST /cancellations/undo/preview",
      { body: linkSecret },
      { 200: single(notices.undoPreview) },
      [404],
    ),
  ),
  undoCancellation: endpoint(
    "POST /cancellations/undo",
    { body: notices.undoRequest },
    { 200: single(notices.undoing) },
  ),
  previewUndoWithdrawal: optional(
    endpoint(
      "POST /withdrawals/undo/preview",
      { body: linkSecret },
      { 200: single(notices.undoPreview) },
      [404],
    ),
  ),
  undoWithdrawal: endpoint(
    "POST /withdrawals/undo",
    { body: notices.undoRequest },
    { 200: single(notices.undoing) },
  ),
  confirmWithdrawal: endpoint(
    "POST /withdrawals/confirm",
    { body: linkSecret },
    { 200: single(notices.withdrawing) },
  ),
} as const;
