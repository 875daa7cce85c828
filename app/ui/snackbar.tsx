import { mdiAlertCircleOutline, mdiAlertOutline, mdiCheck, mdiInformationOutline } from "@mdi/js";
import { Icon } from "./icon";

export type SnackbarType = "default" | "error" | "info" | "success" | "warning";

type SnackbarProps = {
  type?: SnackbarType;
  text: string;
  /** Milliseconds before it leaves; 0 keeps it. */
  timeout?: number;
};

const icons: Partial<Record<SnackbarType, string>> = {
  error: mdiAlertCircleOutline,
  info: mdiInformationOutline,
  success: mdiCheck,
  warning: mdiAlertOutline,
};

/** An addition to a `Notice` in the page, never the only place of a message (WCAG 2.2.1). */
export function Snackbar({ type = "default", text, timeout = 5000 }: SnackbarProps) {
  const icon = icons[type];
  const stay = timeout === 0 ? "" : timeout > 5000 ? "snackbar--long" : "snackbar--brief";
  return (
    <div
      className={`snackbar snackbar--${type} ${stay}`.trim()}
      role={type === "error" ? "alert" : "status"}
      data-timeout={timeout}
    >
      {icon && <Icon path={icon} />}
      <p>{text}</p>
    </div>
  );
}
