import type { receiptWords } from "~/i18n/payment-words.server";
import { useT } from "~/i18n/use-t";
import { DefinitionList } from "~/ui/definition-list";
import { Notice } from "~/ui/notice";

/** Seller, client and what was paid. Printed, it stands alone on the sheet. */
export function Receipt({ receipt }: { receipt: ReturnType<typeof receiptWords> }) {
  const { seller, parties, sold, refunds, note, print } = receipt;
  const t = useT("payments");
  return (
    <>
      {note && <Notice tone="warning">{note}</Notice>}
      <DefinitionList
        sentences
        items={[{ term: t("receipt.seller"), value: <Name text={seller} /> }]}
      />
      {[parties, sold].map((facts, index) => (
        <DefinitionList
          key={index}
          items={facts.map(({ term, value, isName }) => ({
            term,
            value: value !== null && isName ? <Name text={value} /> : value,
          }))}
        />
      ))}
      {refunds.length > 0 && (
        <section className="stack" aria-labelledby="refunds">
          <h2 id="refunds">{t("receipt.refunds")}</h2>
          <ul>
            {refunds.map((refund, index) => (
              <li key={index}>{refund}</li>
            ))}
          </ul>
        </section>
      )}
      {print && <p className="not-printed soft small">{print}</p>}
    </>
  );
}

const Name = ({ text }: { text: string }) => <span className="notranslate">{text}</span>;
