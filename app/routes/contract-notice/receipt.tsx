import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { DefinitionList } from "~/ui/definition-list";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import type { ReceiptWords } from "./receipt.server";

/**
 * The receipt: what was declared, to whom and when, and what follows. Printed, it stands alone on the sheet. It
 * stands in a part that only the server renders (`ServerPart`).
 */
export function Receipt({ receipt }: { receipt: ReceiptWords }) {
  const { heading, received, tone, sentences, declared, special, moment, hasPayments } = receipt;
  const t = useT("cancellation");
  const tWithdrawal = useT("withdrawal");
  return (
    <div className="stack stack--l">
      <PageHeading title={heading} />
      <Notice tone={tone} title={received} live>
        {sentences.map(({ text, isStrong }) => (
          <p key={text}>{isStrong ? <strong>{text}</strong> : text}</p>
        ))}
      </Notice>
      <section className="stack" aria-labelledby="declared">
        <h2 id="declared">{t("receipt.declared")}</h2>
        <blockquote>
          <p>{declared.words}</p>
        </blockquote>
        <DefinitionList
          sentences
          items={[
            { term: t("receipt.seller"), value: <Name text={declared.seller} /> },
            ...declared.facts.map(({ term, value }) => ({
              term,
              value: value && <Name text={value} />,
            })),
          ]}
        />
      </section>
      {special && (
        <section className="stack" aria-labelledby="special">
          <h2 id="special">{special.title}</h2>
          {special.sentences.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </section>
      )}
      {moment && <p className="soft small">{moment}</p>}
      <p className="not-printed soft small">{t("receipt.print")}</p>
      <Cluster>
        {hasPayments && (
          <ButtonLink look="primary" href={paths.accountPayments()}>
            {tWithdrawal("receipt.payments")}
          </ButtonLink>
        )}
        <ButtonLink href={paths.home()}>{t("receipt.home")}</ButtonLink>
      </Cluster>
    </div>
  );
}

const Name = ({ text }: { text: string }) => <span className="notranslate">{text}</span>;
