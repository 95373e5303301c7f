// krtscope sessions, graph and attach: what an instance shows.
import type {SessionAnswer, SessionsAnswer} from '@krtscope/shared/session.ts';
import {UsageError} from '../usage-error.ts';
import {coloursFor} from './colours.ts';
import type {TerminalCommand} from './command.ts';
import {usageError} from './command-line.ts';
import {atFlag, commonFlags} from './common-flags.ts';
import {TableLayout} from './get/table-layout.ts';
import {requestFromInstance} from './instance-client.ts';
import {outputOf, printAnswer, printText, structuredText, targetOf} from './print-answer.ts';

export const sessionsCommand: TerminalCommand = {
  usage: ['sessions [flags]'],
  about:
    'Lists the sessions of the instance: clusters, recordings, programs. --session of the other commands takes their names.',
  examples: [
    ['krtscope sessions', 'all sessions'],
    ['krtscope sessions -o json', 'all that is known about them'],
  ],
  flags: commonFlags,
  words: [],
  run: async (line, env) => {
    if (line.words.length > 0) throw usageError(sessionsCommand);
    const output = outputOf(line);
    const answer = (await requestFromInstance(targetOf(line, env), '/sessions', {})) as SessionsAnswer;
    if (output !== undefined) return printText(await structuredText(output, answer));
    const rows = answer.sessions.map(({name, cluster, connection, current, kept}) => [
      name,
      cluster.kind,
      connection.state,
      current === undefined ? '-' : current ? 'current' : 'behind',
      cluster.version || '-',
      new Date(kept.since).toISOString().slice(0, 19),
      cluster.server || '-',
    ]);
    const layout = new TableLayout(
      ['NAME', 'KIND', 'STATE', 'ROWS', 'VERSION', 'RECORDED SINCE', 'SERVER'],
      rows,
      {
        width: process.stdout.isTTY === true ? process.stdout.columns : undefined,
        colours: coloursFor(process.stdout, env),
      },
    );
    process.stdout.write(`${[layout.header(), ...rows.map(row => layout.line(row))].join('\n')}\n`);
  },
};

export const graphCommand: TerminalCommand = {
  usage: ['graph [--mermaid | --dot | -o json] [flags]'],
  about: 'Prints the collections and the edges between them.',
  examples: [
    ['krtscope graph --mermaid', 'a diagram for Markdown'],
    ['krtscope graph --dot', 'a diagram for Graphviz'],
  ],
  flags: {
    mermaid: {type: 'boolean', help: 'as a Mermaid diagram (the default)'},
    dot: {type: 'boolean', help: 'as a Graphviz diagram'},
    at: atFlag,
    ...commonFlags,
  },
  words: [],
  run: async (line, env) => {
    if (line.words.length > 0) throw usageError(graphCommand);
    const output = outputOf(line);
    const path = output !== undefined ? '/graph' : line.has('dot') ? '/graph.dot' : '/graph.mmd';
    const answer = await requestFromInstance(targetOf(line, env), path, {at: line.text('at')});
    await printAnswer(output, answer, String);
  },
};

export const attachCommand: TerminalCommand = {
  usage: ['attach [NAME=]TARGET [--log pod|off] [flags]'],
  about: `Shows another krt program in the running instance. TARGET is the address of its krtz document, pod/NAMESPACE/NAME:PORT,
deploy/NAMESPACE/NAME:PORT, istiod, istiod.NAMESPACE or kgateway.`,
  examples: [
    ['krtscope attach istiod', 'istiod of the cluster of the first session'],
    ['krtscope attach cp=http://127.0.0.1:8080/debug/krtz', 'a program by its address'],
  ],
  flags: {
    log: {
      type: 'string',
      value: 'pod|off',
      help: 'read the log of its Pod, or no log',
      choices: ['pod', 'off'],
    },
    ...commonFlags,
  },
  words: ['text'],
  run: async (line, env) => {
    const [target, ...others] = line.words;
    if (target === undefined || others.length > 0) throw usageError(attachCommand);
    const log = line.text('log');
    if (log !== undefined && log !== 'pod' && log !== 'off')
      throw new UsageError(`--log is "${log}"; give pod or off`);
    const [, name, krtz = target] = /^([A-Za-z0-9][A-Za-z0-9._-]{0,62})=(.+)$/s.exec(target) ?? [];
    const body = {krtz, name, log};
    const session = await requestFromInstance(targetOf(line, env), '/sessions', {}, {body});
    await printAnswer(outputOf(line), session, answer => {
      const {name: opened, connection} = answer as SessionAnswer;
      return `${opened}: ${connection.state}${connection.reason === undefined ? '' : ` (${connection.reason})`}`;
    });
  },
};
