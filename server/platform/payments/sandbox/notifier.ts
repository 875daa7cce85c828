import { ProviderFailure, type NotificationListener } from "../../ports/payment-gateway";

/** Simulated faults of the bank. */
export type SandboxOptions = {
  /** Notifications are lost: the platform must ask for the status. */
  dropNotifications?: boolean;
  /** Calls take effect, but the connection breaks before the answer arrives, except that about refunds. */
  loseAnswers?: boolean;
  /** Refunds are refused. */
  refuseRefunds?: boolean;
  /** Calls fail before they reach the bank. */
  unreachable?: boolean;
};

const RETRY_AFTER_SECONDS = 30;

const broken = (message: string) =>
  new ProviderFailure(message, "unreachable", RETRY_AFTER_SECONDS);

/** The connection between bank and merchant, with the simulated faults. */
export function createConnection(options: SandboxOptions | undefined) {
  let listener: NotificationListener | undefined;
  const reach = async <T>(call: () => Promise<T>): Promise<T> => {
    if (options?.unreachable) throw broken("The sandbox bank cannot be reached");
    return call();
  };
  return {
    listen(newListener: NotificationListener) {
      listener = newListener;
    },
    /** Runs a reading that comes before a charge; its answer is never lost, so that the charge is made. */
    reach,
    /** Runs a call of the merchant, subject to the simulated faults. */
    carry: async <T>(call: () => Promise<T>): Promise<T> => {
      const answer = await reach(call);
      if (options?.loseAnswers) throw broken("The answer of the sandbox bank was lost");
      return answer;
    },
    notify: async (...notification: Parameters<NotificationListener>) => {
      if (!options?.dropNotifications) await listener?.(...notification);
    },
  };
}
