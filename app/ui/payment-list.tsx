import type { PaymentWords } from "~/i18n/payment-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Tag } from "./chips";

/**
 * Payments one a line, each with what it paid for and its receipt. The attempts among them, for which nothing
 * was charged, are folded below.
 */
export function PaymentList({ rows }: { rows: readonly PaymentWords[] }) {
  const t = useT("payments");
  const attempts = rows.filter(({ isAttempt }) => isAttempt);
  return (
    <ul className="rows" data-more-into>
      {rows.map((row) => !row.isAttempt && <Payment key={row.uid} {...row} />)}
      {attempts.length > 0 && (
        <li>
          <details className="rows__folded">
            <summary>{t("attempts.title")}</summary>
            <p className="soft small">{t("attempts.text")}</p>
            <ul className="rows">
              {attempts.map((row) => (
                <Payment key={row.uid} {...row} />
              ))}
            </ul>
          </details>
        </li>
      )}
    </ul>
  );
}

function Payment({ uid, line, hasReceipt, details, state, tone }: PaymentWords) {
  return (
    <li>
      <div>
        <p>{hasReceipt ? <a href={paths.accountPayment(uid)}>{line}</a> : line}</p>
        <p className="soft small">{details.join(" · ")}</p>
      </div>
      <Tag {...(tone && { tone })}>{state}</Tag>
    </li>
  );
}
