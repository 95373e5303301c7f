// Buttons: at most one primary per view, outlined for actions, ghost for settings. Each shows its key.
import type {ComponentProps, ReactNode} from 'react';
import {Icon, type IconName} from '../indicators/Icon.tsx';
import {Kbd} from './Kbd.tsx';
import './button.css';

interface ButtonProps extends ComponentProps<'button'> {
  look?: 'primary' | 'outline' | 'ghost' | 'danger';
  icon?: IconName;
  /** The key that does the same, drawn after the text. */
  keys?: string;
  size?: 'normal' | 'small' | 'large';
  pressed?: boolean;
  children?: ReactNode;
}

export function Button({
  look = 'outline',
  icon,
  keys,
  size = 'normal',
  pressed,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${look} button-${size} ${className ?? ''}`}
      title={
        rest.title ??
        (typeof children === 'string' ? (keys === undefined ? children : `${children} (${keys})`) : undefined)
      }
      aria-pressed={pressed}
      aria-keyshortcuts={keys === undefined ? undefined : keys.replace('Mod', 'Control')}
    >
      {icon ? <Icon name={icon} /> : null}
      {children === undefined ? null : <span className="button-words">{children}</span>}
      {keys === undefined ? null : <Kbd keys={keys} />}
    </button>
  );
}

/** A square button with an icon; `label` is its accessible name. */
export function IconButton({
  icon,
  label,
  pressed,
  keys,
  ...rest
}: ComponentProps<'button'> & {
  icon: IconName;
  label: string;
  pressed?: boolean;
  keys?: string;
}) {
  return (
    <button
      type="button"
      {...rest}
      className={`icon-button inline-row bare-button ${rest.className ?? ''}`}
      aria-label={label}
      aria-pressed={pressed}
      title={keys === undefined ? label : `${label} (${keys})`}
    >
      <Icon name={icon} />
    </button>
  );
}
