import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from "react";
import { useCameWithPage } from "./use-came-with-page";

type DialogProps = {
  id?: string;
  title: string;
  /** Whether the dialog is open: a modal with JavaScript, part of the page without it. */
  open: boolean;
  /** Without JavaScript it is a field of the form around it, without a frame, a title and buttons of its own. */
  isField?: boolean;
  /** Called when the dialog was opened before React took it over. */
  onOpen?: () => void;
  /** Called on Escape and on a click on the backdrop. */
  onClose?: () => void;
  /** Usually one form, with its buttons in `.dialog__actions`. */
  children: ReactNode;
};

export function Dialog({ id, title, open, isField, onOpen, onClose, children }: DialogProps) {
  const titleId = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // React must not change the attribute later: a modal that loses it without close() stays open for
  // the browser, and the page behind it stays inert.
  const [openAtFirst] = useState(open);
  useShown(ref, open, { onOpen, onClose });
  return (
    <dialog
      ref={ref}
      id={id}
      className={isField ? "dialog dialog--field" : "dialog"}
      open={openAtFirst}
      aria-labelledby={titleId}
      onCancel={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose?.()}
    >
      <div className="dialog__body">
        <h2 className="panel__title" id={titleId}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

/** Shows and hides the dialog. One that came with the page is taken over as it is (`app/enhance`). */
function useShown(
  ref: RefObject<HTMLDialogElement>,
  open: boolean,
  handlers: Pick<DialogProps, "onOpen" | "onClose">,
) {
  const latest = useRef(handlers);
  latest.current = handlers;
  const cameWithPage = useCameWithPage();
  const shown = useRef<boolean | null>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (cameWithPage && shown.current === null) {
      shown.current = dialog.open;
      const { onOpen, onClose } = latest.current;
      if (dialog.open !== open) (dialog.open ? onOpen : onClose)?.();
      return;
    }
    if (shown.current === open) return;
    shown.current = open;
    dialog.close();
    if (open) dialog.showModal();
  }, [ref, open, cameWithPage]);
}
