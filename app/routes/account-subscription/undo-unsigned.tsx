import { PostForm, SendButton } from "~/forms/post-form";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";

/**
 * Takes back what was declared without signing in, whose mail may still be on its way. It is sent to the
 * page that also serves who has no access any more: this one may have been opened before the end.
 */
export function UndoUnsigned({ isWithdrawing }: { isWithdrawing: boolean }) {
  const t = useT("subscription");
  return (
    <>
      <PostForm action={paths.accountSubscriptionUndo()} reloadDocument>
        <p>{t("unsigned.text")}</p>
        <SendButton>{t("unsigned.submit")}</SendButton>
      </PostForm>
      {isWithdrawing && (
        <p>
          <a href={paths.withdrawal()}>{t("unsigned.withdraw")}</a>
        </p>
      )}
    </>
  );
}
