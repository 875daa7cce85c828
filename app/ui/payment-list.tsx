import type { PaymentWords } from "~/i18n/payment-words.server";
import { paths } from "~/paths";
import { Tag } from "./chips";

/** Payments one a line, each with what it paid for and its receipt. */
export function PaymentList({ rows }: { rows: readonly PaymentWords[] }) {
  return (
    <ul className="rows" data-more-into>
      {rows.map(({ uid, line, hasReceipt, details, state, tone }) => (
        <li key={uid}>
          <div>
            <p>{hasReceipt ? <a href={paths.accountPayment(uid)}>{line}</a> : line}</p>
            <p className="soft small">{details.join(" · ")}</p>
          </div>
          <Tag {...(tone && { tone })}>{state}</Tag>
        </li>
      ))}
    </ul>
  );
}
