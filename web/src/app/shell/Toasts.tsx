// Short messages at the bottom that disappear by themselves.
import {useEffect, useRef} from 'react';
import {useApp} from '../../store/app.ts';
import './toasts.css';

export function Toasts() {
  const toasts = useApp(state => state.toasts);
  const list = useRef<HTMLDivElement>(null);
  // A popover that opens last is above an open dialog.
  useEffect(() => {
    const element = list.current;
    if (!element || toasts.length === 0) return;
    element.showPopover();
    return () => element.hidePopover();
  }, [toasts]);
  return (
    <div ref={list} popover="manual" className="toasts row gap-8" role="status" aria-live="polite">
      {toasts.map(toast => (
        <div key={toast.id} className={`toast toast-${toast.tone}`}>
          {toast.text}
        </div>
      ))}
    </div>
  );
}
