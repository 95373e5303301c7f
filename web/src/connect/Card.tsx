// One of the three ways to connect: a title with its key, a body, a foot with the button.
import type {ReactNode} from 'react';
import {Kbd} from '../ui/controls/Kbd.tsx';
import {Icon, type IconName} from '../ui/indicators/Icon.tsx';
import './card.css';

export function Card(props: {
  title: string;
  icon: IconName;
  keys: string;
  lead: ReactNode;
  highlighted: boolean;
  /** A narrow window shows this card's body even while another card is highlighted. */
  stays?: boolean;
  problem: string | null;
  foot: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      className={`connect-card column ${props.highlighted ? 'connect-chosen' : ''} ${props.stays ? 'card-stays' : ''}`}
      aria-label={props.title}
      aria-current={props.highlighted ? 'true' : undefined}
    >
      <header className="card-head row gap-10">
        <Icon name={props.icon} size={18} />
        <h2>{props.title}</h2>
        <Kbd keys={props.keys} />
      </header>
      <p className="card-lead">{props.lead}</p>
      <div className="card-body">{props.children}</div>
      {props.problem === null ? null : (
        <p className="card-problem" role="alert">
          {props.problem}
        </p>
      )}
      <footer className="card-foot row gap-12">{props.foot}</footer>
    </section>
  );
}
