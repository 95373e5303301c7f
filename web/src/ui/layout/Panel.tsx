// Panels with a title, and a view's empty and error states, each with a next step.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {ReactNode} from 'react';
import {Icon, type IconName} from '../indicators/Icon.tsx';
import './panel.css';

export function Panel({
  title,
  note,
  aside,
  children,
  className,
}: {
  title: string;
  note?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={`panel column ${className ?? ''}`} aria-label={title}>
      <header className="panel-head bar">
        <h2 className="panel-title">{title}</h2>
        {note === undefined ? null : <span className="panel-note">{note}</span>}
        {aside === undefined ? null : <div className="panel-aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** A view without content: title, a sentence of evidence, actions. */
export function EmptyState({
  title,
  children,
  actions,
  icon,
  tone = 'plain',
}: {
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  icon?: IconName;
  tone?: 'plain' | 'error' | 'stale';
}) {
  return (
    <div className={`empty empty-${tone}`} role="status">
      <p className="empty-title row gap-8">
        {icon ? <Icon name={icon} /> : null}
        {title}
      </p>
      {children === undefined ? null : <div className="empty-words">{children}</div>}
      {actions === undefined ? null : <div className="empty-actions">{actions}</div>}
    </div>
  );
}

/** An API failure with its own message and hint. */
export function ErrorState({failure, actions}: {failure: ApiFailure; actions?: ReactNode}) {
  const waiting = failure.code === 'engine-restarting' || failure.code === 'no-answer';
  return (
    <EmptyState
      title={waiting ? 'One moment' : failure.message}
      icon={waiting ? 'clock' : 'warning'}
      tone={waiting ? 'stale' : 'error'}
      actions={actions}
    >
      {waiting ? failure.message : failure.hint}
    </EmptyState>
  );
}
