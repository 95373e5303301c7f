// Commands for the session's cluster. Without a context flag they would go to the terminal's own cluster, and some
// write.
import type {SessionAnswer} from '@krtscope/shared/session.ts';

type SessionCluster = SessionAnswer['cluster'];

/** Quotes everything but plain words, so that pasting is safe. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The flag that names the cluster, with a leading space; empty if there is no cluster. */
export function clusterFlag(cluster: SessionCluster | undefined): string {
  if (cluster === undefined || cluster.kind === 'recording') return '';
  if (cluster.kubeconfig) return ` --kubeconfig ${quote(cluster.kubeconfig)}`;
  return cluster.kind === 'live' && cluster.context ? ` --context ${quote(cluster.context)}` : '';
}

/** The flag comes last, so that the command itself stays visible. */
export function withClusterFlag(command: string, cluster: SessionCluster | undefined): string {
  if (!command.startsWith('kubectl ') || / --(?:context|kubeconfig)[ =]/.test(command)) return command;
  return `${command}${clusterFlag(cluster)}`;
}
