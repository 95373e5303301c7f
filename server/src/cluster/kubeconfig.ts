// The kubeconfig of the embedded cluster, as text and as a file that only its owner can read.
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

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

export function writeKubeconfig(file: string, text: string): void {
  mkdirSync(dirname(file), {recursive: true, mode: 0o700});
  writeFileSync(file, text, {mode: 0o600});
  // A write keeps the mode of an existing file.
  chmodSync(file, 0o600);
}
