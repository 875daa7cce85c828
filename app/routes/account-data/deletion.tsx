import type { LastPaymentState } from "~/api/payment.server";
import type { ReadResult } from "~/api/read-result";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import type { LossWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Checkbox } from "~/ui/checkbox";
import { Loss } from "~/ui/loss";
import { Notice } from "~/ui/notice";
import { Panel } from "~/ui/panel";
import { Unread } from "~/ui/unread";

type DeletedContract = {
  accessEnd: string | null;
  /** Day of the refund of an open withdrawal. */
  refund: string | null;
  canStop: boolean;
  /** What is given back, in sentences. */
  refunds: string[];
  credit: LossWords;
};

type DeletionProps = {
  contract: ReadResult<DeletedContract>;
  /** State of the last payment: the bank may still decide on it. */
  payment: LastPaymentState["kind"];
  /** A coach comes back by an invitation. */
  isCoach: boolean;
  reply: (FormReply & { lost?: boolean }) | undefined;
};

const NO_CONTRACT: DeletedContract = {
  accessEnd: null,
  refund: null,
  canStop: false,
  refunds: [],
  credit: null,
};

/** The form that deletes the account. It first lists what is deleted, what stays and why. */
export function Deletion({ contract, payment, isCoach, reply }: DeletionProps) {
  const { accessEnd, refund, canStop, refunds, credit } =
    contract.kind === "found" ? contract.value : NO_CONTRACT;
  const { form, fields, control } = useReply<{ confirm: string }>("deletion", reply);
  const t = useT("data");
  const { defaultValue, error, ...confirm } = control(fields.confirm);
  return (
    <Panel title={t("deletion.title")} id="deletion-panel">
      {contract.kind === "failed" && <Unread text={t("deletion.unread")} />}
      {payment === "failed" && <Unread text={t("deletion.payingUnread")} />}
      <div className="prose">
        <ul>
          <li>{t("deletion.profile")}</li>
          <li>{t("deletion.payments")}</li>
          <li>{t("deletion.billing")}</li>
          {payment === "pending" && <li>{t("deletion.paying")}</li>}
          {payment === "unpaid" && <li>{t("deletion.unpaid")}</li>}
          {accessEnd && <li>{t("deletion.paid", { date: accessEnd })}</li>}
          {refund && <li>{t("deletion.withdrawal", { date: refund })}</li>}
          <li>{t("deletion.kept")}</li>
          <li>{t("deletion.proof")}</li>
          <li>{t("deletion.contact")}</li>
          <li>{isCoach ? t("deletion.finalForCoach") : t("deletion.final")}</li>
        </ul>
      </div>
      {accessEnd && canStop && (
        <p>
          {t("deletion.instead")} <a href={paths.accountSubscription()}>{t("deletion.stop")}</a>
        </p>
      )}
      <PostForm form={form} unanswered="failures.deletion.broken" lost={reply?.lost === true}>
        {refunds.map((refund) => (
          <Notice key={refund}>{refund}</Notice>
        ))}
        <Loss words={credit} />
        <Checkbox
          {...confirm}
          {...(error && { error })}
          value="on"
          defaultChecked={defaultValue === "on"}
          label={t("deletion.confirm")}
          data-faults="deletion_"
          required
        />
        <div>
          <SendButton look="danger">{t("deletion.submit")}</SendButton>
        </div>
      </PostForm>
    </Panel>
  );
}
