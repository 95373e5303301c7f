// The kubeconfig of the embedded cluster, as text and as a file that only its owner can read.
import {chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {dirname, join} from 'node:path';

const CONTEXT = 'krtscope-demo';

export function kubeconfigText(url: string, ca: string, token: string): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: ${CONTEXT}
  cluster:
    server: ${url}
    certificate-authority-data: ${Buffer.from(ca).toString('base64')}
users:
- name: ${CONTEXT}
  user:
    token: ${token}
contexts:
- name: ${CONTEXT}
  context:
    cluster: ${CONTEXT}
    user: ${CONTEXT}
current-context: ${CONTEXT}
`;
}

/**
 * The file for the cluster at this port: `kubeconfig`, or `kubeconfig-<port>` while another cluster uses that one.
 * Removes the files of other ports that no cluster uses any more.
 */
export async function chooseKubeconfigFile(folder: string, port: number): Promise<string> {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  for (const name of readdirSync(folder)) {
    const other = Number(/^kubeconfig-(\d+)$/.exec(name)?.[1]);
    if (other && other !== port && !(await isServed(other))) rmSync(join(folder, name), {force: true});
  }
  const usual = join(folder, 'kubeconfig');
  const other = portIn(usual);
  const isTaken = other !== undefined && other !== port && (await isServed(other));
  return isTaken ? join(folder, `kubeconfig-${port}`) : usual;
}

function portIn(file: string): number | undefined {
  try {
    const port = /^ +server: https:\/\/127\.0\.0\.1:(\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
    return port === undefined ? undefined : Number(port);
  } catch {
    return undefined;
  }
}

/** Whether a server accepts connections at this port of loopback. */
function isServed(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}

export function writeKubeconfig(file: string, text: string): void {
  mkdirSync(dirname(file), {recursive: true, mode: 0o700});
  writeFileSync(file, text, {mode: 0o600});
  // A write keeps the mode of an existing file.
  chmodSync(file, 0o600);
}
