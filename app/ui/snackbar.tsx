import { mdiAlertCircleOutline, mdiAlertOutline, mdiCheck, mdiInformationOutline } from "@mdi/js";
import { Icon } from "./icon";

export type SnackbarType = "default" | "error" | "info" | "success" | "warning";

type SnackbarProps = { type?: SnackbarType; text: string };

const icons: Partial<Record<SnackbarType, string>> = {
  error: mdiAlertCircleOutline,
  info: mdiInformationOutline,
  success: mdiCheck,
  warning: mdiAlertOutline,
};

/** An addition to a `Notice` in the page, never the only place of a message (WCAG 2.2.1). */
export function Snackbar({ type = "default", text }: SnackbarProps) {
  const icon = icons[type];
  return (
    <div className={`snackbar snackbar--${type}`} role={type === "error" ? "alert" : "status"}>
      {icon && <Icon path={icon} />}
      <p>{text}</p>
    </div>
  );
}
