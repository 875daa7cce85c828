import type { NotificationListener } from "../../ports/payment-gateway";

/** How the bank misbehaves. */
export type SandboxOptions = {
  /** Notifications get lost: the platform must ask by itself. */
  dropNotifications: boolean;
};

/** The line from the bank to its merchant. */
export function notifierOf(options: SandboxOptions | undefined) {
  let listener: NotificationListener | undefined;
  return {
    listen(newListener: NotificationListener) {
      listener = newListener;
    },
    notify: async (...notification: Parameters<NotificationListener>) => {
      if (!options?.dropNotifications) await listener?.(...notification);
    },
  };
}
