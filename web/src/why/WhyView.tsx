// Why a run happened: the sentence, its causes and effects, and the runs of the item.

import type {Why} from '@krtscope/shared/why.ts';
import {useEffect} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {Term} from '../app/keys/Term.tsx';
import {copyText, linkTo, navigate} from '../store/app.ts';
import {useMoment, useParam, useSelection} from '../store/navigation.ts';
import {useConnection} from '../stream/server-connection.ts';
import {useAnswer, useHasNoFormula, useSubscription} from '../stream/use-subscription.ts';
import {Button, IconButton} from '../ui/controls/Button.tsx';
import {StateGlyph} from '../ui/indicators/outcome-state.tsx';
import {whyMarkdown} from './answer/answer-markdown.ts';
import {NewerAnswer} from './answer/NewerAnswer.tsx';
import {Sentence} from './answer/Sentence.tsx';
import {StaleDataNote} from './answer/StaleDataNote.tsx';
import {WhyFrame} from './answer/WhyFrame.tsx';
import {WhyHead} from './answer/WhyHead.tsx';
import {NothingSelected, OtherChanges, WhyFailure} from './answer/WhyStates.tsx';
import {CauseChain} from './CauseChain.tsx';
import {EffectsPanel} from './EffectsPanel.tsx';
import {summariseEffects} from './effect-lines.ts';
import {countLaterRuns, type LaterRuns} from './later-runs.ts';
import {RunComparison} from './RunComparison.tsx';
import {RunHistory} from './RunHistory.tsx';
import {formatSpan} from './waterfall.ts';
import {playWave, stopPlayback, useWavePlayback} from './wave-playback.ts';
import './why-view.css';

export default function WhyView() {
  const {collection, key} = useSelection();
  return (
    <WhyFrame>
      {collection !== null && key !== null ? (
        <WhyBody collection={collection} itemKey={key} />
      ) : (
        <NothingSelected collection={collection} />
      )}
    </WhyFrame>
  );
}

function WhyBody({collection, itemKey}: {collection: string; itemKey: string}) {
  const {run} = useSelection();
  const {moment} = useMoment();
  const path = `/why/${encodeURIComponent(collection)}/${encodeURIComponent(itemKey)}`;
  // The answer stays on its run. Later runs are counted from the item.
  const item = useSubscription(moment === null ? {ask: 'item', collection, key: itemKey} : null);
  const {answer, failure, again} = useAnswer<Why>(
    run === null ? path : `${path}?run=${encodeURIComponent(run)}`,
  );
  const mine = answer && answer.collection === collection ? answer : undefined;
  const [marked, setMarked] = useParam('x');
  useWhyKeys(mine, marked, setMarked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another item stops the playback, another view does not
  useEffect(() => stopPlayback(), [path]);
  return (
    <>
      <WhyHead active="why" actions={<WhyActions why={mine} />}>
        <RunSteps why={mine} />
      </WhyHead>
      {failure ? <WhyFailure failure={failure} again={again} /> : null}
      {mine && !failure ? (
        <>
          <WhyAnswer
            why={mine}
            since={countLaterRuns(mine, item.answer)}
            onNewest={() => (run === null ? again() : navigate({run: null}))}
          />
          <div className="why-body">
            <div className="why-left">
              {marked !== null && marked !== mine.run?.id ? (
                <RunComparison path={path} why={mine} marked={marked} onEnd={() => setMarked(null)} />
              ) : null}
              <CauseChain hops={mine.causes} />
              <OtherChanges why={mine} />
            </div>
            <EffectsPanel why={mine} />
          </div>
          <RunHistory why={mine} marked={marked} />
        </>
      ) : (
        <div className="why-body" aria-busy={!failure} />
      )}
    </>
  );
}

function WhyAnswer({why, since, onNewest}: {why: Why; since: LaterRuns; onNewest: () => void}) {
  const effects = summariseEffects(why.effects);
  const counts = why.run?.counts;
  const updated = counts ? counts.added + counts.changed + counts.deleted : 0;
  const lastPart = why.parts.at(-1);
  const dot = lastPart && 'text' in lastPart && /[.!?]\s*$/.test(lastPart.text) ? '' : '.';
  return (
    <header className="answer">
      <p className="sentence" role="status">
        {why.parts.length > 0 ? <Sentence parts={why.parts} /> : why.sentence}
        {dot}
      </p>
      <p className="summary">
        {counts ? (
          <span>
            <StateGlyph tone={updated > 0 ? 'changed' : 'noop'} />{' '}
            {updated === 0
              ? 'no output changed'
              : `${updated} ${updated === 1 ? 'output' : 'outputs'} updated`}
          </span>
        ) : null}
        <span>
          <b>{effects.ran}</b> downstream {effects.ran === 1 ? 'item' : 'items'} ran
        </span>
        {effects.equal > 0 ? (
          <span>
            <StateGlyph tone="noop" /> {effects.equal} equal, where the <Term word="wave">wave</Term> stopped
          </span>
        ) : null}
        <span>
          settled after <b>{formatSpan(why.settled)}</b>
        </span>
        {since.equal > 0 ? (
          <span>
            <StateGlyph tone="noop" />
            <b>
              {since.equal}
              {since.more ? '+' : ''}
            </b>{' '}
            {since.equal === 1 ? 'equal run' : 'equal runs'} since
          </span>
        ) : null}
      </p>
      <StaleDataNote collection={why.collection} />
      {since.changed > 0 ? (
        <NewerAnswer onShow={onNewest}>
          The item has changed {since.more ? '' : since.changed === 1 ? 'once ' : `${since.changed} times `}
          since this run.
        </NewerAnswer>
      ) : null}
    </header>
  );
}

function RunSteps({why}: {why: Why | undefined}) {
  const hasNoFormula = useHasNoFormula(why?.collection ?? '');
  if (!why) return null;
  const at = why.strip.findIndex(mark => mark.id === why.run?.id);
  if (!why.run)
    return (
      <span className="run-name">
        {why.outcome === 'deleted' ? 'deleted' : hasNoFormula ? 'no formula' : 'a write, not a run'}
      </span>
    );
  return (
    <>
      <span className="run-name">
        <Term word="run">run</Term> <b>#{why.run.id}</b>
      </span>
      <IconButton
        icon="left"
        label="Previous run"
        keys=","
        disabled={at <= 0}
        onClick={() => stepRun(why, -1)}
      />
      <IconButton
        icon="right"
        label="Next run"
        keys="."
        disabled={at < 0 || at >= why.strip.length - 1}
        onClick={() => stepRun(why, 1)}
      />
      <span className="run-of">
        {why.beyond.before + at + 1} of {why.beyond.before + why.strip.length + why.beyond.after}
      </span>
    </>
  );
}

function stepRun(why: Why, by: number): boolean {
  const at = why.strip.findIndex(mark => mark.id === why.run?.id);
  const next = why.strip[at + by];
  if (at < 0 || !next) return false;
  navigate({run: next.id});
  return true;
}

function WhyActions({why}: {why: Why | undefined}) {
  const playing = useWavePlayback(state => state.step !== null);
  return (
    <>
      <Button
        icon={playing ? 'pause' : 'play'}
        keys="Space"
        disabled={!why}
        onClick={() => why && (playing ? stopPlayback() : playWave(why))}
      >
        {playing ? 'Stop' : 'Play wave'}
      </Button>
      <Button icon="link" keys="Shift+Y" onClick={() => why && copyLink(why)}>
        Link
      </Button>
      <Button icon="markdown" keys="Shift+M" onClick={() => why && copyMarkdown(why)}>
        Markdown
      </Button>
    </>
  );
}

/** A link to this run at its moment, so that the answer stays the same. */
function whyLink(why: Why): string {
  return linkTo(useConnection.getState().recording, {
    moment: why.sequence,
    run: why.run?.id,
  });
}

function copyLink(why: Why): void {
  void copyText(whyLink(why), 'Link copied');
}

function copyMarkdown(why: Why): void {
  void copyText(whyMarkdown(why, whyLink(why)), 'Markdown copied');
}

function useWhyKeys(
  why: Why | undefined,
  marked: string | null,
  setMarked: (run: string | null) => void,
): void {
  useKeys({
    ',': {says: 'previous run of this item', group: 'Time', run: () => (why ? stepRun(why, -1) : false)},
    '.': {says: 'next run of this item', group: 'Time', run: () => (why ? stepRun(why, 1) : false)},
    x: {
      says: 'mark a run to compare',
      group: 'Understand',
      run: () => setMarked(marked === null ? (why?.run?.id ?? null) : null),
    },
    Space: {
      says: 'play the wave',
      group: 'Time',
      run: () => (why ? (useWavePlayback.getState().step ? stopPlayback() : playWave(why)) : false),
    },
    'Shift+Y': {says: 'copy link', group: 'Copy', run: () => (why ? copyLink(why) : false)},
    'Shift+M': {says: 'copy Markdown', group: 'Copy', run: () => (why ? copyMarkdown(why) : false)},
    m: {says: 'copy Markdown', group: 'Copy', run: () => (why ? copyMarkdown(why) : false)},
  });
}
