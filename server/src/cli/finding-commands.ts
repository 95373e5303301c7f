// krtscope incidents, checks and search: what is wrong, and where something is.
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Incidents} from '@krtscope/shared/incidents.ts';
import type {SearchAnswer} from '@krtscope/shared/items.ts';
import {checksText, incidentsText, searchText} from './answer-text.ts';
import type {TerminalCommand} from './command.ts';
import {usageError} from './command-line.ts';
import {atFlag, commonFlags} from './common-flags.ts';
import {requestFromInstance} from './instance-client.ts';
import {outputOf, printAnswer, targetOf} from './print-answer.ts';

/** The condition of --fail-on holds. */
const FOUND_CODE = 3;
const failures = ['open', 'error', 'warning'] as const;
const states = ['open', 'ended', 'all'] as const;

export const incidentsCommand: TerminalCommand = {
  usage: ['incidents [--state open|ended|all] [--try] [--fail-on open] [flags]'],
  about:
    'Lists what is wrong. Problems with the same cause are one incident, which names the write that caused it.',
  examples: [
    ['krtscope incidents', 'what is wrong now'],
    ['krtscope incidents --state all -o json', 'everything, for a script'],
    ['krtscope incidents --try', 'with what a trial of each fix found'],
    ['krtscope incidents --fail-on open', 'end a pipeline while something is wrong'],
  ],
  exitCodes: [[FOUND_CODE, '--fail-on open was given and an incident is open']],
  flags: {
    state: {type: 'string', value: 'STATE', help: 'open (the default), ended or all', choices: states},
    'fail-on': {
      type: 'string',
      value: 'open',
      help: `exit with ${FOUND_CODE} if one is open`,
      choices: ['open'],
    },
    try: {type: 'boolean', help: 'try the fix of each open incident in a copy of the graph'},
    at: atFlag,
    ...commonFlags,
  },
  words: [],
  run: async (line, env) => {
    if (line.words.length > 0) throw usageError(incidentsCommand);
    const output = outputOf(line);
    const failOn = line.choice('fail-on', ['open'] as const);
    const query = {
      state: line.choice('state', states),
      at: line.text('at'),
      try: line.has('try') ? '1' : undefined,
    };
    const answer = (await requestFromInstance(targetOf(line, env), '/incidents', query)) as Incidents;
    await printAnswer<Incidents>(output, answer, incidentsText);
    if (failOn === 'open' && answer.open > 0) process.exitCode = FOUND_CODE;
  },
};

export const checksCommand: TerminalCommand = {
  usage: ['checks [--fail-on error|warning] [flags]'],
  about:
    'Lists what the checks find in the graph and in the cluster, the worst first. docs/checks.md explains each code.',
  examples: [
    ['krtscope checks', 'all findings'],
    ['krtscope checks --fail-on error', 'end a pipeline if there are errors'],
    ['krtscope checks -o json', 'for a script'],
  ],
  exitCodes: [[FOUND_CODE, '--fail-on was given and a finding is as bad']],
  flags: {
    'fail-on': {
      type: 'string',
      value: 'SEVERITY',
      help: `exit with ${FOUND_CODE} on a finding of this severity or worse`,
      choices: ['error', 'warning'],
    },
    at: atFlag,
    ...commonFlags,
  },
  words: [],
  run: async (line, env) => {
    if (line.words.length > 0) throw usageError(checksCommand);
    const output = outputOf(line);
    const failOn = line.choice('fail-on', failures);
    const query = {at: line.text('at')};
    const answer = (await requestFromInstance(targetOf(line, env), '/checks', query)) as Checks;
    await printAnswer<Checks>(output, answer, checksText);
    const bad = failOn === undefined ? [] : failOn === 'error' ? ['error'] : ['error', 'warning'];
    if (answer.checks.some(({severity}) => bad.includes(severity))) process.exitCode = FOUND_CODE;
  },
};

export const searchCommand: TerminalCommand = {
  usage: ['search TEXT [flags]'],
  about:
    'Finds rows of all collections by key, label or any value. Exits with 1 if there is none, as grep does.',
  examples: [
    ['krtscope search redis', 'everything that mentions redis'],
    ['krtscope search 10.1 --limit 20', 'an address'],
  ],
  exitCodes: [[1, 'nothing was found, the instance refused, or none is running']],
  flags: {
    limit: {type: 'string', value: 'N', help: 'at most so many hits (default 60, at most 500)'},
    at: atFlag,
    ...commonFlags,
  },
  words: ['text'],
  run: async (line, env) => {
    if (line.words.length === 0) throw usageError(searchCommand);
    const output = outputOf(line);
    const limit = line.number('limit', 1);
    const query = {q: line.words.join(' '), limit: limit?.toString(), at: line.text('at')};
    const answer = (await requestFromInstance(targetOf(line, env), '/search', query)) as SearchAnswer;
    if (answer.hits.length === 0) process.exitCode = 1;
    await printAnswer<SearchAnswer>(output, answer, searchText);
  },
};
