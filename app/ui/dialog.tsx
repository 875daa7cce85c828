import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { useCameWithPage } from "./use-came-with-page";

type DialogProps = {
  id?: string;
  title: string;
  /** Whether the dialog is open: a modal with JavaScript, part of the page without it. */
  open: boolean;
  /** Called on Escape and on a click on the backdrop. */
  onClose?: () => void;
  /** Usually one form, with its buttons in `.dialog__actions`. */
  children: ReactNode;
};

export function Dialog({ id, title, open, onClose, children }: DialogProps) {
  const titleId = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // React must not change the attribute later: a modal that loses it without close() stays open for
  // the browser, and the page behind it stays inert.
  const [openAtFirst] = useState(open);
  const close = useRef(onClose);
  close.current = onClose;
  // `app/enhance` has opened the dialog that came with the page, and somebody may have closed it.
  const shown = useRef(useCameWithPage() ? open : null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (shown.current === open) {
      if (open && !dialog.open) close.current?.();
      return;
    }
    shown.current = open;
    dialog.close();
    if (open) dialog.showModal();
  }, [open]);
  return (
    <dialog
      ref={ref}
      id={id}
      className="dialog"
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
