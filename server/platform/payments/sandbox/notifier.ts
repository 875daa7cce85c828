import { ProviderFailure, type NotificationListener } from "../../ports/payment-gateway";

/** How the bank misbehaves. */
export type SandboxOptions = {
  /** Notifications get lost: the platform must ask by itself. */
  dropNotifications?: boolean;
  /** It does what it is asked to, and the line breaks before its answer arrives. */
  loseAnswers?: boolean;
  /** It gives nothing back. */
  refuseRefunds?: boolean;
  /** The line is broken before it hears anything. */
  unreachable?: boolean;
};

const RETRY_AFTER_SECONDS = 30;

const broken = (message: string) =>
  new ProviderFailure(message, "unreachable", RETRY_AFTER_SECONDS);

/** The line from the bank to its merchant. */
export function notifierOf(options: SandboxOptions | undefined) {
  let listener: NotificationListener | undefined;
  return {
    listen(newListener: NotificationListener) {
      listener = newListener;
    },
    /** A call of the merchant's, as the line lets it through. */
    carry: async <T>(call: () => Promise<T>): Promise<T> => {
      if (options?.unreachable) throw broken("The sandbox bank cannot be reached");
      const answer = await call();
      if (options?.loseAnswers) throw broken("The answer of the sandbox bank was lost");
      return answer;
    },
    notify: async (...notification: Parameters<NotificationListener>) => {
      if (!options?.dropNotifications) await listener?.(...notification);
    },
  };
}
