// Why an item has its value: the sentence, the steps back to the write, and a fix.
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
    field: field ?? undefined,
    input: input === '1' ? true : undefined,
  };
  const reply = useSubscription(question);
  const {shown, newer, accept} = useStableAnswer(reply.answer, JSON.stringify(question), hasSameWording);
  const isSlow = useSlow(shown === undefined && reply.failure === undefined);
  useOriginKeys(shown);
  return (
    <>
      <WhyHead active="origin" actions={<OriginActions origin={shown} />}>
        {field === null ? null : (
          <span className="why-words inline-row gap-6">
            of the field <code>{field}</code>
            <IconButton icon="close" label="Explain the whole row" onClick={() => setField(null)} />
          </span>
        )}
      </WhyHead>
      {reply.failure && !shown ? <ErrorState failure={reply.failure} /> : null}
      {shown ? (
        <div className="origin">
          <header className="origin-answer">
            <p className="origin-sentence" role="status">
              <Sentence parts={shown.parts} />
            </p>
            <StaleDataNote collection={item.collection} />
            {newer ? <NewerAnswer onShow={accept}>The value has changed since.</NewerAnswer> : null}
          </header>
          <div className="origin-body">
            <OriginSteps origin={shown} />
            <OriginSide origin={shown} />
          </div>
        </div>
      ) : (
        <div className="origin" aria-busy={reply.failure === undefined}>
          {isSlow ? <p className="origin-waits">Looking for the write…</p> : null}
        </div>
      )}
    </>
  );
}

function hasSameWording(a: Origin, b: Origin): boolean {
  return a.sentence === b.sentence;
}

/** True after a delay, so that quick answers show no loading text. */
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
          title="Show every view at the moment of the write"
          onClick={() => goTo(write.sequence)}
        >
          Go to write
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
    t: {says: 'go to write', group: 'Time', run: () => (write ? goTo(write.sequence) : false)},
    'Shift+Y': {says: 'copy link', group: 'Copy', run: () => (origin ? copyLink(origin) : false)},
    'Shift+M': {
      says: 'copy Markdown',
      group: 'Copy',
      run: () => (origin ? copyMarkdown(origin) : false),
    },
    m: {says: 'copy Markdown', group: 'Copy', run: () => (origin ? copyMarkdown(origin) : false)},
  });
}
