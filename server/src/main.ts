// Entry point: parses the arguments, queries a running instance or serves, and prints errors.
import {readFileSync} from 'node:fs';
import {commands, runCommand} from './cli/commands.ts';
import {exitWithFault} from './fault.ts';
import {UsageError} from './usage-error.ts';

const readVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

// Each branch loads what it needs: a query to a running instance should not wait for the rest.
async function main(args: string[]): Promise<void> {
  if (args[0] === 'init') return (await import('./cli/init.ts')).runInit(args.slice(1), readVersion());
  if (args[0] === 'rbac') return (await import('./cli/rbac-command.ts')).runRbacCommand(args.slice(1));
  if (args[0] === 'help' || args[0] === '--help' || args[0] === '-h') {
    if (args[1] !== undefined && (await runCommand([args[1], '--help'], process.env))) return;
    return void process.stdout.write((await import('./help.ts')).helpText());
  }
  if (await runCommand(args, process.env)) return;
  if (args.includes('--help') || args.includes('-h'))
    return void process.stdout.write((await import('./help.ts')).helpText());
  if (args.includes('--version')) return void process.stdout.write(`krtscope ${readVersion()}\n`);

  const {parseConfig} = await import('./config.ts');
  const {config, rest} = parseConfig(args, process.env);
  const [verb, ...files] = rest;
  if (verb === 'open' && files.length === 0) throw new UsageError('usage: krtscope open FILE…');
  if (verb === 'crd' && rest.length === 1) {
    const {plainFormulas} = await import('./cluster/formulas/resource.ts');
    return void process.stdout.write(plainFormulas.yaml());
  }
  if (verb !== undefined && verb !== 'open') {
    const {nearestNames} = await import('./cli/get/kubectl-names.ts');
    const near = nearestNames([...Object.keys(commands), 'open', 'crd', 'init', 'rbac', 'node'], verb);
    const advice = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'krtscope --help lists them';
    throw new UsageError(`"${rest.join(' ')}" is not a krtscope command; ${advice}`);
  }
  const {serve} = await import('./start/serve.ts');
  await serve(config, readVersion(), files);
}

// The reader of a pipe may leave early (`krtscope items … head`). A server must outlive the pipe of its first lines.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
  });
}

// An error outside of any call, such as a failed accept, must not end the process without a message.
process.on('uncaughtException', exitWithFault);

try {
  await main(process.argv.slice(2));
} catch (error) {
  exitWithFault(error);
}
