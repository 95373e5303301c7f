// Why an item did not react, or why an input has no output: verdict, sentence, evidence.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {ItemRef, TraceAnswer} from '@krtscope/shared/run.ts';
import type {WhyNot} from '@krtscope/shared/why.ts';
import {useKeys} from '../app/keys/keys.ts';
import {copyText, linkTo, navigate} from '../store/app.ts';
import {select, useParam, useSelection} from '../store/navigation.ts';
import {useConnection} from '../stream/server-connection.ts';
import {useAnswer, useCollection} from '../stream/use-subscription.ts';
import {Button, IconButton} from '../ui/controls/Button.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {EmptyState, ErrorState} from '../ui/layout/Panel.tsx';
import {whyNotMarkdown} from '../why/answer/answer-markdown.ts';
import {Sentence} from '../why/answer/Sentence.tsx';
import {WhyFrame} from '../why/answer/WhyFrame.tsx';
import {WhyHead} from '../why/answer/WhyHead.tsx';
import {
  PredicateClauses,
  ReactedCollections,
  RecordedDependencies,
  SyncBlockers,
  showRun,
} from './Evidence.tsx';
import {ExpectedPicker} from './ExpectedPicker.tsx';
import {FormulaInput} from './FormulaInput.tsx';
import {NearestMiss, WouldMatch} from './NearestMiss.tsx';
import {VerdictBar} from './VerdictBar.tsx';
import {checkedVerdicts} from './verdict-words.ts';
import './why-not-view.css';

export default function WhyNotView() {
  const {collection, key} = useSelection();
  return (
    <WhyFrame>
      {collection !== null && key !== null ? (
        <WhyNotBody collection={collection} itemKey={key} />
      ) : (
        <InputWithoutOutputPicker collection={collection} />
      )}
    </WhyFrame>
  );
}

/** `Pods/shop%2Fcart-1` in the URL. */
function parseRef(text: string | null): ItemRef | null {
  const slash = text?.indexOf('/') ?? -1;
  if (!text || slash < 0) return null;
  return {
    collection: decodeURIComponent(text.slice(0, slash)),
    key: decodeURIComponent(text.slice(slash + 1)),
  };
}

function formatRef(ref: ItemRef | null): string | null {
  return ref && `${encodeURIComponent(ref.collection)}/${encodeURIComponent(ref.key)}`;
}

function WhyNotBody({collection, itemKey}: {collection: string; itemKey: string}) {
  const [text, setText] = useParam('expected');
  const expected = parseRef(text);
  const node = useCollection(collection);
  const itemPath = `${encodeURIComponent(collection)}/${encodeURIComponent(itemKey)}`;
  const detail = useAnswer<ItemDetail>(
    `/collections/${encodeURIComponent(collection)}/items/${encodeURIComponent(itemKey)}`,
  );
  const current = detail.answer?.collection === collection ? detail.answer : undefined;
  const empty = current !== undefined && current.outputs.length === 0 && node?.kind !== 'source';
  const settled = expected !== null || !detail.loading;
  const path = !settled
    ? null
    : expected
      ? `/why-not/${itemPath}?expected=${encodeURIComponent(expected.collection)}/${encodeURIComponent(expected.key)}`
      : empty
        ? `/why-empty/${itemPath}`
        : `/why-not/${itemPath}`;
  const {answer, failure, again} = useAnswer<WhyNot>(path);
  const mine = answer?.collection === collection ? answer : undefined;
  const near = likelyExpected(current);
  useWhyNotKeys(mine);
  return (
    <>
      <WhyHead active="why-not" actions={<WhyNotActions answer={mine} />}>
        <span className="why-words">{empty && !expected ? 'No output of' : 'I expected'}</span>
        <ItemChip collection={collection} itemKey={itemKey} longest={30} />
        <span className="why-words">{empty && !expected ? 'despite' : 'to react to'}</span>
        <ExpectedPicker expected={expected} near={near} onPick={ref => setText(formatRef(ref))} />
      </WhyHead>
      {failure ? <ErrorState failure={failure} actions={<Button onClick={again}>Try again</Button>} /> : null}
      {mine && !failure ? <WhyNotAnswer answer={mine} /> : <div className="why-body" aria-busy={!failure} />}
    </>
  );
}

/** The objects that the reader most likely expected: what the item reads. */
function likelyExpected(detail: ItemDetail | undefined): ItemRef[] {
  return (detail?.precedents ?? []).slice(0, 10).map(({collection, key}) => ({collection, key}));
}

function WhyNotAnswer({answer}: {answer: WhyNot}) {
  const {evidence} = answer;
  const ruled = checkedVerdicts(answer);
  const at = ruled.findIndex(one => one.held);
  const side = evidence.nearest !== undefined || evidence.command !== undefined || evidence.run !== undefined;
  return (
    <>
      <VerdictBar answer={answer} />
      <header className="answer">
        <span className="label">
          Verdict {at + 1} of {ruled.length}
        </span>
        <p className="sentence" role="status">
          <Sentence parts={answer.parts} />
        </p>
      </header>
      <div className="not-body">
        <div className="not-main column">
          <PredicateClauses evidence={evidence} />
          <SyncBlockers evidence={evidence} />
          {answer.expected ? null : <FormulaInput answer={answer} />}
          <RecordedDependencies answer={answer} />
          <ReactedCollections answer={answer} />
        </div>
        {side ? (
          <aside className="not-side column" aria-label="What would help">
            <NearestMiss evidence={evidence} />
            <WouldMatch evidence={evidence} />
            <div className="not-buttons">
              {evidence.run ? (
                <Button look="primary" onClick={() => showRun(answer)}>
                  Show run #{evidence.run.id}
                </Button>
              ) : null}
              <Button icon="copy" onClick={() => copyMarkdown(answer)}>
                Copy as Markdown
              </Button>
            </div>
          </aside>
        ) : null}
      </div>
    </>
  );
}

function whyNotLink(answer: WhyNot): string {
  return linkTo(useConnection.getState().recording, {moment: answer.sequence});
}

function copyMarkdown(answer: WhyNot): void {
  void copyText(whyNotMarkdown(answer, whyNotLink(answer)), 'Markdown copied');
}

function WhyNotActions({answer}: {answer: WhyNot | undefined}) {
  return (
    <>
      <IconButton
        icon="link"
        label="Copy link"
        keys="Shift+Y"
        onClick={() => answer && void copyText(whyNotLink(answer), 'Link copied')}
      />
      <IconButton
        icon="markdown"
        label="Copy Markdown"
        keys="Shift+M"
        onClick={() => answer && copyMarkdown(answer)}
      />
    </>
  );
}

function useWhyNotKeys(answer: WhyNot | undefined): void {
  useKeys({
    'Shift+Y': {
      says: 'copy link',
      group: 'Copy',
      run: () => (answer ? void copyText(whyNotLink(answer), 'Link copied') : false),
    },
    'Shift+M': {
      says: 'copy Markdown',
      group: 'Copy',
      run: () => (answer ? copyMarkdown(answer) : false),
    },
    m: {says: 'copy Markdown', group: 'Copy', run: () => (answer ? copyMarkdown(answer) : false)},
  });
}

/** Offers inputs of the collection that have no output. */
function InputWithoutOutputPicker({collection}: {collection: string | null}) {
  const runs = useAnswer<TraceAnswer>(
    collection === null ? null : `/trace?collection=${encodeURIComponent(collection)}&outcome=empty&limit=5`,
  );
  const found = runs.answer?.runs ?? [];
  return (
    <>
      <WhyHead active="why-not" actions={null}>
        {null}
      </WhyHead>
      <EmptyState
        title={collection === null ? 'No item selected' : `Select an input of ${collection}`}
        actions={
          found.length > 0 && collection !== null ? (
            [...new Set(found.map(run => run.input))].map(input => (
              <Button key={input} onClick={() => select({collection, key: input})}>
                {input} has no output
              </Button>
            ))
          ) : (
            <Button keys="2" onClick={() => navigate({view: 'sheet'})}>
              Open the Sheet
            </Button>
          )
        }
      >
        Select an item that should have reacted, or an empty cell. Then select the change.
      </EmptyState>
    </>
  );
}
