// A state as a colour with a second cue: the glyph alone, or the outcome's word on a tint.
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {ReactNode} from 'react';
import './outcome-state.css';

/** The colour family of a state; `plain` has none, because healthy has no colour. */
export type Tone = 'changed' | 'noop' | 'error' | 'stale' | 'draft' | 'cause' | 'effect' | 'plain';

export const outcomeTone: Record<RunOutcome, Tone> = {
  added: 'changed',
  changed: 'changed',
  deleted: 'plain',
  equal: 'noop',
  empty: 'plain',
  discarded: 'plain',
  failed: 'error',
  suspended: 'stale',
  observed: 'plain',
};

/** Filled dot, hollow dot, diamond, dotted ring; nothing if the outcome has no colour. */
export function StateGlyph({outcome, tone, size = 9}: {outcome?: RunOutcome; tone?: Tone; size?: number}) {
  const drawn = tone ?? (outcome === undefined ? 'plain' : outcomeTone[outcome]);
  return (
    <svg className={`glyph glyph-${drawn}`} viewBox="0 0 10 10" width={size} height={size} aria-hidden="true">
      {glyphs[drawn]}
    </svg>
  );
}

const glyphs: Record<Tone, ReactNode> = {
  changed: <circle cx="5" cy="5" r="3.6" />,
  noop: <circle cx="5" cy="5" r="3" fill="none" strokeWidth="1.4" />,
  error: <path d="M5 .6L9.4 5 5 9.4.6 5z" />,
  stale: <circle cx="5" cy="5" r="3.8" fill="none" strokeWidth="1.3" strokeDasharray="1.6 1.4" />,
  draft: (
    <rect
      x="1.2"
      y="1.2"
      width="7.6"
      height="7.6"
      rx="2"
      fill="none"
      strokeWidth="1.3"
      strokeDasharray="2 1.4"
    />
  ),
  cause: <path d="M7 1.8v6.4L1.8 5z" />,
  effect: <path d="M3 1.8v6.4L8.2 5z" />,
  plain: null,
};

/** In a row of runs each run has a mark: a dash if the outcome has no glyph. */
export function RunGlyph({outcome, size = 9}: {outcome: RunOutcome; size?: number}) {
  if (outcomeTone[outcome] !== 'plain') return <StateGlyph outcome={outcome} size={size} />;
  return (
    <svg className="glyph glyph-dash" viewBox="0 0 10 10" width={size} height={size} aria-hidden="true">
      <path d="M2 5h6" fill="none" strokeWidth="1.4" />
    </svg>
  );
}

/** An outcome's word, or another word in the same style. */
export function OutcomeWord({outcome, children}: {outcome: RunOutcome; children?: ReactNode}) {
  return <ToneWord tone={outcomeTone[outcome]}>{children ?? outcome}</ToneWord>;
}

/** A word on its tint with its glyph; `plain` for neutral facts (`12 runs`). */
export function ToneWord({tone = 'plain', children}: {tone?: Tone; children: ReactNode}) {
  return (
    <span className={`word word-${tone}`}>
      {tone === 'plain' ? null : <StateGlyph tone={tone} />}
      {children}
    </span>
  );
}
