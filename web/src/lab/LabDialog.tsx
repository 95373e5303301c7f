// A question of the Lab that waits for an answer: focus stays inside, Esc closes, focus returns.
import {type ReactNode, useEffect, useRef} from 'react';
import {useKeys} from '../app/keys.ts';
import './lab-dialog.css';

export function LabDialog({
  label,
  children,
  onClose,
}: {
  label: string;
  children: ReactNode;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({Escape: {typing: true, run: onClose}}, true, 'modal');
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes; the click is on the scrim
    <dialog
      ref={dialog}
      className="modal lab-dialog"
      aria-label={label}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
      onClick={event => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="modal-body">{children}</div>
    </dialog>
  );
}
