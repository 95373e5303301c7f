// The lab process's first file: the walls and the lock of an engine process, and drafts instead of a graph.

import {confine} from '../host/confine.ts';
import {shut} from '../host/wall.ts';
import type {FromLab, ToLab} from '../link/lab.ts';
import type {Word} from './draft.ts';

const exit = confine();
// After confine(), before anything else: nothing below may run in a language that can still be changed.
await import('../../formula/sandbox/lockdown.ts');
const {shortenStackTraces} = await import('../../formula/sandbox/stack-traces.ts');
shortenStackTraces();
const {createEngine} = await import('../../krt/index.ts');
const {Held} = await import('./held.ts');
const {tryDraft} = await import('./draft.ts');
const {tryModule} = await import('./module.ts');
// All that is needed is loaded.
shut();

function send(message: FromLab): void {
  if (process.connected) process.send?.(message);
}

const clock = {now: () => performance.timeOrigin + performance.now(), after: () => () => {}};
const held = new Held(createEngine({clock, checks: 'off'}));

function answer(id: number, tried: (word: Word) => unknown): void {
  try {
    const word = {running: (input: string, more: number) => send({type: 'running', id, input, more})};
    send({type: 'tried', id, answer: JSON.stringify(tried(word))});
  } catch (error) {
    send({type: 'failed', id, message: error instanceof Error ? error.message : String(error)});
  }
}

process.on('message', message => {
  const news = message as ToLab;
  switch (news.type) {
    case 'rows':
      held.take(news);
      return;
    case 'drop':
      held.drop(news.collection);
      return;
    case 'try':
      answer(news.id, word => tryDraft(held, news.draft, word));
      return;
    case 'try-module':
      answer(news.id, word => tryModule(held, news.module, word));
  }
});
process.on('uncaughtException', () => exit(1));
process.on('disconnect', () => exit(0));
if (!process.connected) exit(0);
send({type: 'ready'});
