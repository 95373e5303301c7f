// krtscope record: saves a stretch of the recording to a file.
import {setTimeout as sleep} from 'node:timers/promises';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {replaceFileSync} from '../atomic-write.ts';
import {UsageError} from '../usage-error.ts';
import type {TerminalCommand} from './command.ts';
import {usageError} from './command-line.ts';
import {commonFlags} from './common-flags.ts';
import {exitWithError, type InstanceTarget, requestFromInstance} from './instance-client.ts';
import {targetOf} from './print-answer.ts';

export const recordCommand: TerminalCommand = {
  usage: ['record FILE [--from N] [--to N] [flags]', 'record FILE --last 10m', 'record FILE --for 30s'],
  about: `Saves the recording, or a stretch of it, to a .krtrec file, which krtscope open and krtscope what-if --recording read.
Secrets are as redacted in the file as on the page.`,
  examples: [
    ['krtscope record all.krtrec', 'everything that is kept'],
    ['krtscope record lately.krtrec --last 10m', 'the last ten minutes'],
    ['krtscope record next.krtrec --for 2s', 'from now on, for two seconds'],
  ],
  flags: {
    from: {type: 'string', value: 'N', help: 'the first moment (a sequence number)'},
    to: {type: 'string', value: 'N', help: 'the last moment'},
    last: {type: 'string', value: 'TIME', help: 'the last part of it, such as 30s, 10m or 2h'},
    for: {type: 'string', value: 'TIME', help: 'from now on, for this long'},
    ...commonFlags,
  },
  words: ['file'],
  run: async (line, env) => {
    const [file, ...others] = line.words;
    if (file === undefined || others.length > 0) throw usageError(recordCommand);
    const [from, to, last, length] = [
      line.number('from'),
      line.number('to'),
      line.duration('last'),
      line.duration('for'),
    ];
    if ([from ?? to, last, length].filter(one => one !== undefined).length > 1)
      throw new UsageError('give --from and --to, or --last, or --for');
    const target = targetOf(line, env);
    const stretch = {from, to};
    if (last !== undefined) stretch.from = await momentAt(target, Date.now() - last);
    if (length !== undefined) {
      stretch.from = (await newestOf(target)).sequence;
      await sleep(length);
    }
    const bytes = (await requestFromInstance(target, '/recording', {
      from: stretch.from?.toString(),
      to: stretch.to?.toString(),
    })) as Buffer;
    try {
      replaceFileSync(file, bytes);
    } catch (error) {
      exitWithError(`${file} cannot be written: ${(error as Error).message}`);
    }
    process.stdout.write(`${file}: ${sizeText(bytes.length)}; krtscope open ${file} shows it\n`);
  },
};

const newestOf = async (target: InstanceTarget) =>
  ((await requestFromInstance(target, '/session', {})) as SessionAnswer).kept.newest;

/** The last moment before this time. */
async function momentAt(target: InstanceTarget, time: number): Promise<number | undefined> {
  const {kept} = (await requestFromInstance(target, '/session', {})) as SessionAnswer;
  if (time <= kept.oldest.time) return undefined;
  const query = {from: String(Math.floor(time)), to: String(Date.now()), buckets: '600'};
  const {buckets} = (await requestFromInstance(target, '/timeline', query)) as Timeline;
  return buckets.find(bucket => bucket.sequence > 0)?.sequence ?? kept.newest.sequence;
}

const sizeText = (bytes: number) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
