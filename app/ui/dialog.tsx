import { useEffect, useId, useRef, useState, type ReactNode } from "react";

type DialogProps = {
  id?: string;
  title: string;
  /** Rendered open: without JavaScript in the flow of the page, with it as a modal. */
  open: boolean;
  /** Called on Escape and on a click on the veil. */
  onClose?: () => void;
  /** Usually one form; its buttons in `.dialog__actions`. */
  children: ReactNode;
};

export function Dialog({ id, title, open, onClose, children }: DialogProps) {
  const titleId = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // Only the first rendering writes the attribute: a modal that loses it otherwise than by close()
  // stays open for the browser, and the page under it inert.
  const [openAtFirst] = useState(open);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
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
