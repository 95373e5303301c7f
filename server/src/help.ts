import {flags, flagText} from './flags.ts';

export function helpText(): string {
  const rows = flags.map(flag => {
    const left = `  ${flagText(flag)}${flag.value === undefined ? '' : ` ${flag.value}`}`;
    const rest = flag.default === undefined ? '' : ` (default ${flag.default})`;
    return `${left.padEnd(24)}${flag.help}${rest}`;
  });
  return `krtscope, a visual debugger for declarative Kubernetes controllers

  krtscope [flags]                            show a cluster, or the demo when there is none
  krtscope open FILE [flags]                  show a recording (.krtrec), without a cluster
  krtscope why COLLECTION KEY                 why an item has its value, from a running instance
  krtscope why-not COLLECTION KEY --expected COLLECTION/KEY
                                              why it did not react to that
  krtscope origin COLLECTION KEY [--field PATH] [--input]
                                              which write caused it, step by step
  krtscope incidents [--state open|ended|all] what is wrong, grouped by the write that caused it
  krtscope items COLLECTION [-q FILTER] [-o json]
  krtscope graph [--mermaid | --dot | -o json]
  krtscope what-if -f FILE|DIR|- [--delete] [--undo SEQ/COLLECTION/KEY] [--recording FILE] [-o text|json|markdown]
                                              what a change would do to everything computed from it; docs/what-if.md
  krtscope attach [NAME=]TARGET               show another krt program in a running instance, such as istiod
  krtscope crd                                print the CRD of formulas.krtscope.dev, for kubectl apply -f -
  krtscope init [DIR]                         create an operator project; krtscope init --help
  krtscope node FILE [ARGS]                   run your own program with krtscope's Node 26, which runs TypeScript
  why, why-not, origin, incidents, items, graph and what-if take --url, --token, --session, --at N and -o json; without --url they use the newest running
  instance. why takes --input (the key is an input's), items --sort [-]PATH and --limit N

Flags
${rows.join('\n')}
  --help                  this text
  --version               the version

Each flag is also a variable: KRTSCOPE_ and its name in capitals, "-" as "_"
(KRTSCOPE_PORT=0, KRTSCOPE_NAMESPACE=a,b, KRTSCOPE_OPEN=0). A flag wins.
krtscope only ever reads from the cluster. Formulas that you save are files in --graph.
`;
}
