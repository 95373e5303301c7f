// A modal dialog. Esc and a click outside close it, and the focus returns.
import {type ReactNode, useEffect, useRef} from 'react';
import {openOverlay} from '../../store/app.ts';
import {findActiveElement} from '../../ui/hooks/active-element.ts';
import {useKeys} from '../keys/keys.ts';
import './modal-sheet.css';

const closeOverlay = () => openOverlay(null);

export function ModalSheet({
  label,
  className,
  children,
  onClose = closeOverlay,
}: {
  label: string;
  className: string;
  children: ReactNode;
  onClose?: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({Escape: {typing: true, run: onClose}}, true, 'modal');
  useEffect(() => {
    const element = dialog.current;
    const before = findActiveElement();
    element?.showModal();
    return () => {
      element?.close();
      if (before?.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes; the click is on the scrim
    <dialog
      ref={dialog}
      className={`modal ${className}`}
      aria-label={label}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
      onClick={event => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="modal-body column">{children}</div>
    </dialog>
  );
}
