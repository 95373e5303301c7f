// A collection's kind as a shape and a mark, never a colour: the outline beside its name and the sign after it.
import type {CollectionNodeKind} from '@krtscope/shared/vocabulary.ts';
import type {ReactNode} from 'react';
import './collection-kind.css';

const shapes: Record<CollectionNodeKind, ReactNode> = {
  source: (
    <>
      <path d="M1.5 3.5h13v9h-13z" />
      <path d="M4 3.5v9" />
    </>
  ),
  static: <path d="M1.5 3.5h10l3 3v6h-13z" />,
  file: <path d="M1.5 3.5h10l3 3v6h-13z" />,
  trigger: (
    <>
      <path d="M1.5 3.5h10l3 3v6h-13z" />
      <path d="M8.4 4.8L6 8.4h2l-.5 2.8L10 7.6H8z" fill="currentColor" stroke="none" />
    </>
  ),
  derived: <rect x="1.5" y="3.5" width="13" height="9" rx="2.6" />,
  map: <rect x="1.5" y="3.5" width="13" height="9" rx="2.6" />,
  many: (
    <>
      <rect x="1" y="3.5" width="10.5" height="9" rx="2.4" />
      <path d="M13 4.2v7.6M15 5v6" />
    </>
  ),
  singleton: <rect x="1.5" y="3.5" width="13" height="9" rx="4.5" />,
  status: <path d="M1.5 3.5h13l-2.4 4.5 2.4 4.5h-13z" />,
  join: <path d="M4.3 3.5h7.4L15 8l-3.3 4.5H4.3L1 8z" />,
  index: <path d="M6 2.5l-1 11M11 2.5l-1 11M2.8 5.8h11M2.2 10.2h11" />,
};

const kindMarks: Record<CollectionNodeKind, string> = {
  source: 'K8s',
  static: 'static',
  file: 'file',
  trigger: 'trigger',
  derived: 'ƒ',
  map: 'ƒ',
  many: 'ƒ*',
  singleton: '1',
  status: '⇥',
  join: '∪',
  index: '#',
};

export const kindWords: Record<CollectionNodeKind, string> = {
  source: 'source, from the cluster',
  static: 'static',
  file: 'from a file',
  trigger: 'recompute trigger',
  derived: 'derived, one to one',
  map: 'mapped',
  many: 'derived, one to many',
  singleton: 'singleton',
  status: 'status writer',
  join: 'join',
  index: 'index',
};

export function KindShape({kind, size = 16}: {kind: CollectionNodeKind; size?: number}) {
  return (
    <svg
      className="kind-shape"
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.2}
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
    >
      {shapes[kind]}
    </svg>
  );
}

export function KindMark({kind}: {kind: CollectionNodeKind}) {
  return (
    <span className="kind-mark inline-row" title={kindWords[kind]}>
      {kindMarks[kind]}
    </span>
  );
}
