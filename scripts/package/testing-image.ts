// Runs an operator's image without a container: executes the Dockerfile's instructions in a folder, and
// starts a process with the environment of the manifests.
import {type ChildProcess, spawn} from 'node:child_process';
import {chmodSync, chownSync, constants, copyFileSync, cpSync, mkdirSync, readdirSync} from 'node:fs';
import {delimiter, dirname, join, matchesGlob} from 'node:path';

/** A user without rights, where the system has one. */
interface ImageUser {
  uid?: number;
  gid?: number;
}

/** The base image's Node, copied to a place that every user can read. */
export function nodeFor(image: string): string {
  const folder = join(image, '.node');
  mkdirSync(folder);
  const file = join(folder, 'node');
  copyFileSync(process.execPath, file, constants.COPYFILE_FICLONE);
  chmodSync(file, 0o755);
  return folder;
}

/** COPY of a Dockerfile. */
export function copyInto(project: string, image: string, words: string[], as: ImageUser): void {
  const target = words.at(-1) ?? '.';
  for (const pattern of words.slice(0, -1)) {
    for (const name of readdirSync(project).filter(one => matchesGlob(one, pattern))) {
      const to = target.endsWith('/') ? join(image, target, name) : join(image, target);
      mkdirSync(dirname(to), {recursive: true});
      cpSync(join(project, name), to, {recursive: true});
      if (as.uid !== undefined && as.gid !== undefined) chownSync(to, as.uid, as.gid);
    }
  }
}

/** RUN of a Dockerfile. */
export function runAs(
  as: ImageUser,
  cwd: string,
  command: string,
  own: Record<string, string>,
): Promise<{code: number; err: string}> {
  return new Promise(resolve => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd,
      ...as,
      env: own,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr.on('data', chunk => {
      err += chunk;
    });
    child.on('close', code => resolve({code: code ?? 1, err}));
  });
}

interface PodOptions {
  as?: ImageUser;
  /** The folder of the image's Node. */
  node?: string;
  command?: string[];
}

/** The operator as a process, as its Pod would run it. `err` collects its stderr. */
export class Operator {
  err = '';
  readonly child: ChildProcess;
  readonly gone: Promise<number>;

  constructor(
    folder: string,
    kubeconfig: string,
    {as = {}, node = dirname(process.execPath), command = ['node', 'src/main.ts']}: PodOptions = {},
  ) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, {
      cwd: folder,
      ...as,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: `${node}${delimiter}/usr/bin${delimiter}/bin`,
        KUBECONFIG: kubeconfig,
        POD_NAMESPACE: 'website-operator',
        METRICS_ADDRESS: '127.0.0.1:0',
        PROBE_ADDRESS: '127.0.0.1:0',
        KRTSCOPE_URL: 'off',
      },
    });
    this.gone = new Promise(resolve => this.child.once('exit', code => resolve(code ?? 1)));
    this.child.stderr?.on('data', chunk => {
      this.err += chunk;
    });
  }

  stop(): Promise<number> {
    this.child.kill('SIGTERM');
    return this.gone;
  }
}
