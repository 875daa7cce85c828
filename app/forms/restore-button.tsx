import type { ReactNode } from "react";
import { RESTORE_FIELD } from "./carried";
import { SendButton } from "./post-form";

type RestoreButtonProps = {
  /** Id of the form, where the button stands outside of it. */
  form?: string;
  children: ReactNode;
};

/**
 * Shows the page again, read anew, with what is typed in its form; nothing is checked or carried out. Enter
 * in a text field presses the first button of its form, so this one stands behind that.
 */
export function RestoreButton(props: RestoreButtonProps) {
  return <SendButton {...props} name={RESTORE_FIELD} value="1" formNoValidate />;
}
