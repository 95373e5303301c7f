import {expect, test} from 'vitest';
import type {Command, InstallableModule} from '../link/commands.ts';
import type {ToHost} from '../link/host-messages.ts';
import {StandingCommands} from './standing-commands.ts';

const formula = (name: string, hash: string): Command => ({
  command: 'put-formula',
  formula: {name, kind: 'one', input: 'Pods', code: hash, hash, reads: ['Pods']},
});
const module = (hash: string): Command => ({
  command: 'put-module',
  module: {name: 'a.graph.ts', hash, files: [], sources: {}} as unknown as InstallableModule,
});
const hashes = (messages: ToHost[]) =>
  messages.map(one => {
    if (one.type !== 'command') return '';
    if (one.command.command === 'put-formula') return one.command.formula.hash;
    return one.command.command === 'put-module' ? one.command.module.hash : '';
  });

function issue(standing: StandingCommands, command: Command): number {
  const {message, answer} = standing.issue(command);
  answer.catch(() => {});
  return message.type === 'command' ? message.id : 0;
}

test('a command that no process has obeyed comes after the replay: the recording ends without it', () => {
  const standing = new StandingCommands();
  standing.markObeyed({id: issue(standing, formula('Mine', 'old')), value: '{}'});
  const id = issue(standing, formula('Mine', 'new'));
  expect(hashes(standing.standing())).toEqual(['old']);
  expect(hashes(standing.unanswered())).toEqual(['new']);
  standing.markObeyed({id, value: '{}'});
  expect(hashes(standing.standing())).toEqual(['new']);
  expect(standing.unanswered()).toEqual([]);
});

test('a module that cannot be built leaves the earlier one standing, after the formulas it may read', () => {
  const standing = new StandingCommands();
  standing.markObeyed({id: issue(standing, module('first')), value: '{}'});
  const fails = '{"trouble":{"state":"failing"},"runs":"first"}';
  standing.markObeyed({id: issue(standing, module('never built')), value: fails});
  standing.markObeyed({id: issue(standing, module('broken')), value: fails});
  standing.markObeyed({id: issue(standing, formula('Mine', 'read')), value: '{}'});
  expect(hashes(standing.standing())).toEqual(['read', 'first', 'broken']);
  standing.markObeyed({id: issue(standing, module('mended')), value: '{}'});
  expect(hashes(standing.standing())).toEqual(['read', 'mended']);
});
