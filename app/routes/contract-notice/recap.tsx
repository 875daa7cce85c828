import { PostForm, SendButton } from "~/forms/post-form";
import type { LossWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { DefinitionList } from "~/ui/definition-list";
import { Instead } from "~/ui/instead";
import { Loss } from "~/ui/loss";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Panel } from "~/ui/panel";
import type { Notice as NoticeFields } from "./form";
import { useFieldWords } from "./field-words";
import { kinds, type KindName } from "./kinds";
import type { Right } from "./reply";

type RecapProps = {
  kind: KindName;
  notice: NoticeFields;
  /** What the button declares, in the words that the receipt quotes. */
  declaration: string;
  /** The requested date, formatted. */
  day?: string | undefined;
  /** What the cancellation changes of the reader's own credit. */
  credit: LossWords;
  right?: Right | undefined;
  /** When the reader's own contract ends by the cancellation. */
  end?: string | undefined;
  /** What its owner may do instead. */
  instead?: string | undefined;
  /** What a withdrawal would give back. */
  refund: string | null;
  unread?: string | undefined;
};

/** The recap of the notice, with the button whose words the law sets (D215-2, D221-5). */
export function Recap(props: RecapProps) {
  const { kind, notice, declaration, day, credit, right, end, instead, refund, unread } = props;
  const t = useT(kind);
  const tCancellation = useT("cancellation");
  const tWithdrawal = useT("withdrawal");
  const words = useFieldWords(kind);
  const { path, intent } = kinds[kind];
  const rows = kinds[kind].fields.map((name) => ({ name, value: notice[name] ?? "" }));
  return (
    <>
      <PageHeading title={t("recap.heading")} lead={t("recap.lead")} />
      <Panel>
        <DefinitionList
          items={rows.map(({ name, value }) => ({
            term: words(name, "label"),
            value: name === "date" ? day : value,
          }))}
        />
        {/* Until the declaration is sent, Back finds what was typed. */}
        <PostForm action={path} draft={kind}>
          {rows.map(({ name, value }) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <blockquote>
            <p>{declaration}</p>
          </blockquote>
          {right && !right.isOpen ? (
            <Notice tone="warning" title={tWithdrawal("recap.late.title", { date: right.lastDay })}>
              <p>{`${tWithdrawal("recap.late.text")} ${right.effect}`}</p>
              {right.isCancellable && (
                <p>
                  <a href={paths.cancelContract()}>{tWithdrawal("recap.late.cancel")}</a>
                </p>
              )}
            </Notice>
          ) : right ? (
            <>
              <p>{right.basis}</p>
              <p>{right.effect}</p>
              <p>{tWithdrawal("recap.own.profile")}</p>
            </>
          ) : (
            <p>{end ?? (notice.date ? tCancellation("recap.effectDated") : t("recap.effect"))}</p>
          )}
          {refund && (
            <p>
              {refund} <a href={paths.withdrawal()}>{tWithdrawal("title")}</a>
            </p>
          )}
          <Instead text={instead ?? null} />
          {unread && <Notice tone="warning">{unread}</Notice>}
          <Loss words={credit} />
          <Cluster>
            <SendButton look="primary" name="intent" value={intent}>
              {t("recap.submit")}
            </SendButton>
            <Button look="quiet" name="intent" value="edit">
              {t("recap.back")}
            </Button>
          </Cluster>
        </PostForm>
      </Panel>
    </>
  );
}
