// The kubectl command for a context, for users to copy. It names the same kubeconfig files that krtscope read.
import {homedir} from 'node:os';
import {join} from 'node:path';
import type {Kubeconfig} from './kubeconfig.ts';

/** Returns `kubectl --kubeconfig … --context …`, without the flags that equal kubectl's defaults. */
export function kubectlCommandFor(
  {files}: Pick<Kubeconfig, 'files'>,
  context: string,
  home = homedir(),
): string {
  const contextFlag = context === '' ? '' : ` --context ${quoteForShell(context)}`;
  const [file] = files;
  if (file === undefined || (files.length === 1 && file === join(home, '.kube', 'config')))
    return `kubectl${contextFlag}`;
  // The flag takes one file only.
  if (files.length > 1) return `KUBECONFIG=${quoteForShell(files.join(':'))} kubectl${contextFlag}`;
  return `kubectl --kubeconfig ${quoteForShell(file)}${contextFlag}`;
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
