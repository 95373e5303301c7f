// A few words above a thing, on hover and on focus. For what must be read use text on the page instead.
import {type ReactNode, useId, useState} from 'react';
import {createPortal} from 'react-dom';
import './tooltip.css';

export function Tooltip({
  text,
  children,
  side = 'top',
}: {
  text: ReactNode;
  children: ReactNode;
  side?: 'top' | 'right';
}) {
  const [at, setAt] = useState<{left: number; top: number} | null>(null);
  const id = useId();
  const show = (target: Element) => {
    const box = target.getBoundingClientRect();
    setAt(
      side === 'right'
        ? {left: box.right + 8, top: box.top + box.height / 2}
        : {left: box.left + box.width / 2, top: box.top - 6},
    );
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the wrapper only watches; the child is the control
    <span
      className="tooltip-anchor"
      onPointerEnter={event => show(event.currentTarget)}
      onPointerLeave={() => setAt(null)}
      onFocus={event => show(event.currentTarget)}
      onBlur={() => setAt(null)}
    >
      {children}
      {at === null
        ? null
        : createPortal(
            <span id={id} role="tooltip" className={`tooltip tooltip-${side}`} style={at}>
              {text}
            </span>,
            document.body,
          )}
    </span>
  );
}
