// Commands for the cluster that is looked at: pasted as they are, they would go to the terminal's own, and some of them write.
import type {SessionAnswer} from '@krtscope/shared/session.ts';

type SessionCluster = SessionAnswer['cluster'];

/** Safe to paste: anything but plain words is quoted. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The flag that says which cluster, with a space before it; nothing where there is none to reach. */
export function clusterFlag(cluster: SessionCluster | undefined): string {
  if (cluster === undefined || cluster.kind === 'recording') return '';
  if (cluster.kubeconfig) return ` --kubeconfig ${quote(cluster.kubeconfig)}`;
  return cluster.kind === 'live' && cluster.context ? ` --context ${quote(cluster.context)}` : '';
}

/** The flag comes last: what the command does stays in sight. */
export function withClusterFlag(command: string, cluster: SessionCluster | undefined): string {
  if (!command.startsWith('kubectl ') || / --(?:context|kubeconfig)[ =]/.test(command)) return command;
  return `${command}${clusterFlag(cluster)}`;
}
