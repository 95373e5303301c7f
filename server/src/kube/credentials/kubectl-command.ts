// The kubectl command of a context, to be copied: with the files that we read, or another cluster might answer it.
import {homedir} from 'node:os';
import {join} from 'node:path';
import type {Kubeconfig} from './kubeconfig.ts';

/** `kubectl --kubeconfig … --context …`; what kubectl takes by itself is left out. */
export function kubectlCommandFor(
  {files}: Pick<Kubeconfig, 'files'>,
  context: string,
  home = homedir(),
): string {
  const on = context === '' ? '' : ` --context ${quoteForShell(context)}`;
  const [file] = files;
  if (file === undefined || (files.length === 1 && file === join(home, '.kube', 'config')))
    return `kubectl${on}`;
  // The flag takes one file only.
  if (files.length > 1) return `KUBECONFIG=${quoteForShell(files.join(':'))} kubectl${on}`;
  return `kubectl --kubeconfig ${quoteForShell(file)}${on}`;
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
