// Popover and menu: a button that opens a card under it. Esc and a click outside close it; focus returns.
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {createPortal} from 'react-dom';
import {useKeys} from '../../app/keys/keys.ts';
import {Icon, type IconName} from '../indicators/Icon.tsx';
import {Kbd} from './Kbd.tsx';
import './menu.css';

export interface PopoverTriggerProps {
  ref: RefObject<HTMLButtonElement | null>;
  onClick: () => void;
  'aria-expanded': boolean;
  'aria-haspopup': 'dialog' | 'menu';
  'aria-controls': string | undefined;
}

/** Any content in a floating card under its trigger. */
export function Popover({
  trigger,
  children,
  label,
  popup = 'dialog',
  align = 'start',
}: {
  trigger: (props: PopoverTriggerProps) => ReactNode;
  children: (close: () => void) => ReactNode;
  label: string;
  popup?: 'dialog' | 'menu';
  align?: 'start' | 'end';
}) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement | null>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      {trigger({
        ref: button,
        onClick: () => setOpen(was => !was),
        'aria-expanded': open,
        'aria-haspopup': popup,
        'aria-controls': open ? id : undefined,
      })}
      {open
        ? createPortal(
            <FloatingPanel
              anchor={button}
              id={id}
              label={label}
              popup={popup}
              align={align}
              onClose={close}
              onLeave={() => setOpen(false)}
            >
              {children(close)}
            </FloatingPanel>,
            document.body,
          )
        : null}
    </>
  );
}

function FloatingPanel({
  anchor,
  id,
  label,
  popup,
  align,
  onClose,
  onLeave,
  children,
}: {
  anchor: RefObject<HTMLElement | null>;
  id: string;
  label: string;
  popup: 'dialog' | 'menu';
  align: 'start' | 'end';
  onClose: () => void;
  onLeave: () => void;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{left: number; top: number} | null>(null);
  useKeys({Escape: {typing: true, run: onClose}});
  useLayoutEffect(() => {
    const put = () => {
      const at = anchor.current?.getBoundingClientRect();
      const own = box.current?.getBoundingClientRect();
      if (at === undefined || own === undefined) return;
      const wanted = align === 'start' ? at.left : at.right - own.width;
      const left = Math.max(8, Math.min(wanted, window.innerWidth - own.width - 8));
      const below = at.bottom + 4;
      const top = below + own.height > window.innerHeight - 8 ? Math.max(8, at.top - own.height - 4) : below;
      setPlace({left, top});
    };
    put();
    window.addEventListener('resize', put);
    const find = (what: string) => box.current?.querySelector<HTMLElement>(what);
    const first =
      find('[data-autofocus]') ?? find('input, [role^=menuitem]:not(:disabled), button:not(:disabled)');
    first?.focus();
    return () => window.removeEventListener('resize', put);
  }, [anchor, align]);
  useEffect(() => {
    const outside = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!box.current?.contains(target) && !anchor.current?.contains(target)) onLeave();
    };
    window.addEventListener('pointerdown', outside);
    return () => window.removeEventListener('pointerdown', outside);
  }, [anchor, onLeave]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') onLeave();
    if (popup !== 'menu' && !(event.target as HTMLElement).role?.startsWith('menuitem')) return;
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step = event.key === 'ArrowDown' ? 1 : -1;
    items[(at + step + items.length) % items.length]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the role is a menu or a dialog, by prop
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a label
    <div
      ref={box}
      id={id}
      className="floating"
      role={popup}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      style={place === null ? {left: -9999, top: 0} : place}
    >
      {children}
    </div>
  );
}

export interface MenuItem {
  id: string;
  label: ReactNode;
  icon?: IconName;
  keys?: string;
  note?: ReactNode;
  checked?: boolean;
  disabled?: boolean;
  onPick: () => void;
}

export function Menu({
  trigger,
  items,
  label,
  align,
}: {
  trigger: (props: PopoverTriggerProps) => ReactNode;
  items: MenuItem[];
  label: string;
  align?: 'start' | 'end';
}) {
  return (
    <Popover trigger={trigger} label={label} popup="menu" align={align}>
      {close =>
        items.map(item => (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: aria-checked comes with menuitemradio only
          <button
            key={item.id}
            type="button"
            className="menu-item row bare-button gap-8"
            role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={item.checked}
            disabled={item.disabled}
            tabIndex={-1}
            onClick={() => {
              close();
              item.onPick();
            }}
          >
            <span className="menu-check">
              {item.checked ? (
                <Icon name="check" size={14} />
              ) : item.icon ? (
                <Icon name={item.icon} size={14} />
              ) : null}
            </span>
            <span className="menu-label">{item.label}</span>
            {item.note === undefined ? null : <span className="menu-note">{item.note}</span>}
            {item.keys === undefined ? null : <Kbd keys={item.keys} />}
          </button>
        ))
      }
    </Popover>
  );
}
