import {
  mdiAlertCircleOutline,
  mdiAlertOutline,
  mdiCheckCircleOutline,
  mdiInformationOutline,
} from "@mdi/js";
import type { ReactNode } from "react";
import { Icon } from "./icon";

export type Tone = "info" | "success" | "warning" | "error";

const icons: Record<Tone, string> = {
  info: mdiInformationOutline,
  success: mdiCheckCircleOutline,
  warning: mdiAlertOutline,
  error: mdiAlertCircleOutline,
};

type NoticeProps = {
  tone?: Tone;
  title?: string;
  /** Announced by screen readers when it appears: an error at once, others when the reader pauses. */
  live?: boolean;
  children?: ReactNode;
};

export function Notice({ tone = "info", title, live, children }: NoticeProps) {
  const role = live ? (tone === "error" ? "alert" : "status") : undefined;
  return (
    <div className={`notice notice--${tone}`} role={role}>
      <Icon path={icons[tone]} />
      <div className="notice__body">
        {title && <p className="notice__title">{title}</p>}
        {typeof children === "string" ? <p>{children}</p> : children}
      </div>
    </div>
  );
}
