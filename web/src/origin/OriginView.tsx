// Why is it like this: the sentence with the write first, the steps down to it with their evidence, and what would mend it.
import type {Origin} from '@krtscope/shared/origin.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import {useEffect, useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {copyText, linkTo} from '../store/app.ts';
import {goTo, useParam, useSelectedItem, useSelection} from '../store/navigation.ts';
import {useConnection} from '../stream/server-connection.ts';
import {useSubscription} from '../stream/use-subscription.ts';
import {Button, IconButton} from '../ui/controls/Button.tsx';
import {ErrorState} from '../ui/layout/Panel.tsx';
import {NewerAnswer} from '../why/answer/NewerAnswer.tsx';
import {Sentence} from '../why/answer/Sentence.tsx';
import {StaleDataNote} from '../why/answer/StaleDataNote.tsx';
import {useStableAnswer} from '../why/answer/use-stable-answer.ts';
import {WhyFrame} from '../why/answer/WhyFrame.tsx';
import {WhyHead} from '../why/answer/WhyHead.tsx';
import {NothingSelected} from '../why/answer/WhyStates.tsx';
import {OriginSide} from './OriginSide.tsx';
import {OriginSteps} from './OriginSteps.tsx';
import {originMarkdown} from './origin-markdown.ts';
import './origin-view.css';

export default function OriginView() {
  const {collection} = useSelection();
  const item = useSelectedItem();
  return (
    <WhyFrame>
      {item ? <OriginBody item={item} /> : <NothingSelected active="origin" collection={collection} />}
    </WhyFrame>
  );
}

function OriginBody({item}: {item: ItemRef}) {
  const [field, setField] = useParam('field');
  const [input] = useParam('input');
  const question = {
    ask: 'origin' as const,
    ...item,
    ...(field === null ? {} : {field}),
    ...(input === '1' ? {input: true} : {}),
  };
  const held = useSubscription(question);
  const {shown, newer, accept} = useStableAnswer(held.answer, JSON.stringify(question), hasSameWording);
  const waits = useSlow(shown === undefined && held.failure === undefined);
  useOriginKeys(shown);
  return (
    <>
      <WhyHead active="origin" actions={<OriginActions origin={shown} />}>
        {field === null ? null : (
          <span className="why-words">
            of the field <code>{field}</code>{' '}
            <IconButton icon="close" label="Ask about the whole row" onClick={() => setField(null)} />
          </span>
        )}
      </WhyHead>
      {held.failure && !shown ? <ErrorState failure={held.failure} /> : null}
      {shown ? (
        <div className="origin">
          <header className="origin-answer">
            <p className="origin-sentence" role="status">
              <Sentence parts={shown.parts} />
            </p>
            <StaleDataNote collection={item.collection} />
            {newer ? <NewerAnswer onShow={accept}>It is no longer like this.</NewerAnswer> : null}
          </header>
          <div className="origin-body">
            <OriginSteps origin={shown} />
            <OriginSide origin={shown} />
          </div>
        </div>
      ) : (
        <div className="origin" aria-busy={held.failure === undefined}>
          {waits ? <p className="origin-waits">Walking back to the write…</p> : null}
        </div>
      )}
    </>
  );
}

/** Another sequence with the same words is the same answer. */
function hasSameWording(a: Origin, b: Origin): boolean {
  return a.sentence === b.sentence;
}

/** Said only when it takes long: a word that flashes by is noise. */
function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => setSlow(true), 400);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [waiting]);
  return slow;
}

function OriginActions({origin}: {origin: Origin | undefined}) {
  const write = origin?.write;
  return (
    <>
      {write ? (
        <Button
          icon="clock"
          keys="t"
          title="Show everything as it was then"
          onClick={() => goTo(write.sequence)}
        >
          Go to the write
        </Button>
      ) : null}
      <Button icon="link" keys="Shift+Y" onClick={() => origin && copyLink(origin)}>
        Link
      </Button>
      <Button icon="markdown" keys="Shift+M" onClick={() => origin && copyMarkdown(origin)}>
        Markdown
      </Button>
    </>
  );
}

function originLink(origin: Origin): string {
  return linkTo(useConnection.getState().recording, {moment: origin.sequence});
}

function copyLink(origin: Origin): void {
  void copyText(originLink(origin), 'Link copied');
}

function copyMarkdown(origin: Origin): void {
  void copyText(originMarkdown(origin, originLink(origin)), 'Markdown copied');
}

function useOriginKeys(origin: Origin | undefined): void {
  const write = origin?.write;
  useKeys({
    t: {says: 'go to the write', group: 'Time', run: () => (write ? goTo(write.sequence) : false)},
    'Shift+Y': {says: 'copy link', group: 'Copy', run: () => (origin ? copyLink(origin) : false)},
    'Shift+M': {
      says: 'copy Markdown',
      group: 'Copy',
      run: () => (origin ? copyMarkdown(origin) : false),
    },
    m: {run: () => (origin ? copyMarkdown(origin) : false)},
  });
}
