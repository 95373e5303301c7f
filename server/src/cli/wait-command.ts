// krtscope wait: ends when an incident has ended, or when a row is there, gone or as expected.
import {setTimeout as sleep} from 'node:timers/promises';
import type {Incidents} from '@krtscope/shared/incidents.ts';
import {readPath} from '@krtscope/shared/path.ts';
import {UsageError} from '../usage-error.ts';
import type {TerminalCommand} from './command.ts';
import {usageError} from './command-line.ts';
import {commonFlags} from './common-flags.ts';
import {collectionNameOf} from './get/find-collection.ts';
import {findOnlyKey} from './get/get-rows.ts';
import {exitWithError, fetchFromInstance, InstanceError, type InstanceTarget} from './instance-client.ts';
import {printText, targetOf} from './print-answer.ts';

const TIMEOUT_CODE = 4;
const POLL_MS = 250;
const DEFAULT_MS = 30_000;

/** Says what holds, or why the condition does not hold yet. */
interface WaitState {
  isMet: boolean;
  text: string;
}

type WaitCondition = (target: InstanceTarget) => Promise<WaitState>;

export const waitCommand: TerminalCommand = {
  usage: ['wait --for CONDITION [--timeout TIME] [flags]'],
  about: `Waits until the condition holds. Conditions:
  incident-ended                     no incident is open
  incident-ended=TEXT                no open incident mentions TEXT
  row=COLLECTION/KEY                 the row exists
  row=COLLECTION/KEY:PATH=VALUE      a field of the row has this value
  row-gone=COLLECTION/KEY            the row does not exist
While the instance does not answer, it goes on waiting.`,
  examples: [
    ['krtscope wait --for row=pods/data/redis-0', 'until the Pod is known'],
    ['krtscope wait --for row=pods/data/redis-0:status.phase=Running --timeout 2m', 'until it runs'],
    ['krtscope wait --for row-gone=Workloads/shop/old --timeout 60s', 'until a row is gone'],
    ['krtscope wait --for incident-ended --timeout 5m', 'until all is well again'],
  ],
  exitCodes: [[TIMEOUT_CODE, 'the condition did not hold in time']],
  flags: {
    for: {
      type: 'string',
      value: 'CONDITION',
      help: 'what to wait for',
      choices: ['incident-ended', 'row=', 'row-gone='],
    },
    timeout: {type: 'string', value: 'TIME', help: 'how long (default 30s; 0 looks once)'},
    ...commonFlags,
  },
  words: [],
  run: async (line, env) => {
    const text = line.text('for');
    if (text === undefined || line.words.length > 0) throw usageError(waitCommand);
    const condition = parseCondition(text);
    const end = Date.now() + (line.duration('timeout') ?? DEFAULT_MS);
    const target = targetOf(line, env);
    for (;;) {
      const state = await look(condition, target);
      if (state.isMet) return printText(state.text);
      if (Date.now() >= end) exitWithError(`timed out waiting for ${text}: ${state.text}`, TIMEOUT_CODE);
      await sleep(Math.min(POLL_MS, Math.max(1, end - Date.now())));
    }
  },
};

/** An instance that restarts answers later; a wrong word never does. */
async function look(condition: WaitCondition, target: InstanceTarget): Promise<WaitState> {
  try {
    return await condition(target);
  } catch (error) {
    if (!(error instanceof InstanceError)) throw error;
    if (['unreachable', 'engine-restarting'].includes(error.code)) return {isMet: false, text: error.message};
    return exitWithError(error.message);
  }
}

function parseCondition(text: string): WaitCondition {
  const [, incident] = /^incident-ended(?:=(.+))?$/.exec(text) ?? [];
  if (text.startsWith('incident-ended')) return target => incidentState(target, incident);
  const [, kind, word, rest] = /^(row|row-gone)=([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (kind === undefined || word === undefined || rest === undefined)
    throw new UsageError(
      `--for is "${text}"; give incident-ended, row=COLLECTION/KEY, row=COLLECTION/KEY:PATH=VALUE or row-gone=COLLECTION/KEY`,
    );
  const [, key = rest, path, value] = kind === 'row' ? (/^(.+?):([^=]+)=(.*)$/s.exec(rest) ?? []) : [];
  let name: string | undefined;
  return async target => {
    name ??= await collectionNameOf(target, word, undefined);
    const row = await rowAt(target, name, key);
    if (kind === 'row-gone')
      return {
        isMet: row === undefined,
        text: `${name} ${key} ${row === undefined ? 'is gone' : 'is still there'}`,
      };
    if (row === undefined) return {isMet: false, text: `${name} ${key} does not exist`};
    if (path === undefined) return {isMet: true, text: `${name} ${key} is there`};
    const found = readPath(row, path.replace(/^\./, ''));
    const shown = typeof found === 'string' ? found : (JSON.stringify(found) ?? 'none');
    return {isMet: shown === value, text: `${path} of ${name} ${key} is ${shown}`};
  };
}

async function incidentState(target: InstanceTarget, mention: string | undefined): Promise<WaitState> {
  const {incidents} = (await fetchFromInstance(target, '/incidents', {state: 'open'})) as Incidents;
  const open = incidents.filter(one => mention === undefined || JSON.stringify(one).includes(mention));
  return {
    isMet: open.length === 0,
    text: open.length === 0 ? 'no incident is open' : `${open.length} open, such as: ${open[0]?.sentence}`,
  };
}

async function rowAt(target: InstanceTarget, collection: string, key: string): Promise<unknown> {
  const path = `/collections/${encodeURIComponent(collection)}/items/${encodeURIComponent(key)}`;
  try {
    const {value, outcome} = (await fetchFromInstance(target, path, {})) as {value: unknown; outcome: string};
    return outcome === 'deleted' ? undefined : (value ?? undefined);
  } catch (error) {
    if (!(error instanceof InstanceError) || error.code !== 'unknown-key') throw error;
    const only = key.includes('/') ? undefined : await findOnlyKey(target, collection, key, undefined);
    return only === undefined ? undefined : rowAt(target, collection, only);
  }
}
