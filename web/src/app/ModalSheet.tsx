// A modal card: the browser keeps focus inside, Esc and a click beside it close, focus returns.
import {type ReactNode, useEffect, useRef} from 'react';
import {openOverlay} from '../store/app.ts';
import {useKeys} from './keys.ts';
import './modal-sheet.css';

export function ModalSheet({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => openOverlay(null);
  useKeys({Escape: {typing: true, run: close}}, true, 'modal');
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
      className={`modal ${className}`}
      aria-label={label}
      onCancel={event => {
        event.preventDefault();
        close();
      }}
      onClick={event => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div className="modal-body">{children}</div>
    </dialog>
  );
}
