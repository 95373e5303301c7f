// krtscope, from top to bottom: read the words, ask a running instance or serve, and say what went wrong.
import {readFileSync} from 'node:fs';
import {runCommand} from './cli/commands.ts';
import {runInit} from './cli/init.ts';
import {parseConfig} from './config.ts';
import {helpText} from './help.ts';
import {faultText, toOneLine} from './terminal.ts';
import {UsageError} from './usage-error.ts';

const {version} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

async function main(args: string[]): Promise<void> {
  if (args[0] === 'init') return runInit(args.slice(1), version);
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(helpText());
  if (args.includes('--version')) return void process.stdout.write(`krtscope ${version}\n`);
  if (await runCommand(args, process.env)) return;

  const {config, rest} = parseConfig(args, process.env);
  const [verb, file] = rest;
  if (verb === 'open' && rest.length !== 2) throw new UsageError('say krtscope open FILE');
  if (verb === 'crd' && rest.length === 1) {
    const {plainFormulas} = await import('./cluster/formulas/resource.ts');
    return void process.stdout.write(plainFormulas.yaml());
  }
  if (verb !== undefined && verb !== 'open') {
    throw new UsageError(`"${rest.join(' ')}" is no command of krtscope; krtscope --help lists them`);
  }
  // Loaded only now: a question to a running instance should not wait for the whole server.
  const {serve} = await import('./start/serve.ts');
  await serve(config, version, file);
}

// Who reads may leave early (`krtscope items … | head`): a server must outlive the pipe that its first lines went to.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
  });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const {name, message} = error as Error;
  const mistake = name === 'UsageError' || name === 'KubeconfigError';
  const said = mistake || name === 'PortError' ? toOneLine(message) : faultText(error);
  process.stderr.write(`krtscope: ${said}\n`);
  process.exit(mistake ? 2 : 1);
}
