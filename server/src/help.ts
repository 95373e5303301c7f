import {commands} from './cli/commands.ts';
import {flags, flagText} from './flags.ts';

export function helpText(): string {
  const rows = flags.map(flag => {
    const left = `  ${flagText(flag)}${flag.value === undefined ? '' : ` ${flag.value}`}`;
    const rest = flag.default === undefined ? '' : ` (default ${flag.default})`;
    return `${left.padEnd(24)}${flag.help}${rest}`;
  });
  const commandRows = Object.entries(commands).map(([name, {summary}]) => `  ${name.padEnd(24)}${summary}`);
  return `krtscope, a visual debugger for declarative Kubernetes controllers

  krtscope [flags]                            show a cluster, or the demo when there is none
  krtscope open FILE… [flags]                 show a recording (.krtrec), or krtz documents, logs and istio bug reports
  krtscope crd                                print the CRD of formulas.krtscope.dev, for kubectl apply -f -
  krtscope init [DIR]                         create an operator project; krtscope init --help
  krtscope rbac [URL] [--watch]               print the role with the rights that a running operator used; krtscope rbac --help
  krtscope node FILE [ARGS]                   run your own program with krtscope's Node 26, which runs TypeScript

Commands that ask a running instance. krtscope COMMAND --help has flags and examples; docs/cli.md has more.
${commandRows.join('\n')}
  They take --url, --token and --session; without --url they use the newest running instance.
  With krtscope in the PATH, kubectl krtscope COMMAND is the same.

Flags
${rows.join('\n')}
  --help                  this text
  --version               the version

Each flag is also a variable: KRTSCOPE_ and its name in capitals, "-" as "_"
(KRTSCOPE_PORT=0, KRTSCOPE_NAMESPACE=a,b, KRTSCOPE_OPEN=0). A flag wins.
krtscope only ever reads from the cluster. Formulas that you save are files in --graph.
`;
}
