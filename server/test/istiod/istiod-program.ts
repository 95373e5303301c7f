// A real istiod on a real Kubernetes, from the shared folder: its document, its log, and kubectl for its cluster.
import {execFile} from 'node:child_process';
import {chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {setTimeout as rest} from 'node:timers/promises';
import {promisify} from 'node:util';
import type {WrittenCollection} from '../../src/attach/testing-documents.ts';
import {Kubectl, packedKubectl} from '../kubectl/kubectl.ts';
import {realServers, startReal} from '../servers.ts';

const run = promisify(execFile);

const istioFolder = realServers === undefined ? undefined : join(dirname(realServers), 'istio');

/** Whether istiod can run here. */
export const hasIstiod = istioFolder !== undefined && existsSync(join(istioFolder, 'istiod.xz'));
if (!hasIstiod) console.warn('no real istiod in the shared folder: tests of it do not run');

/**
 * up.sh writes istiod's log through awk. Debian's awk waits for 4 KB of lines, so lines would come with the next
 * change: its interactive mode does not.
 */
function awkFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-awk-'));
  const script = join(folder, 'awk');
  writeFileSync(
    script,
    '#!/bin/sh\nif [ -x /usr/bin/mawk ]; then exec /usr/bin/mawk -W interactive "$@"; fi\nexec /usr/bin/awk "$@"\n',
  );
  chmodSync(script, 0o755);
  return folder;
}

export class IstiodProgram {
  readonly state: string;
  readonly kubeconfig: string;
  readonly kubectl: Kubectl;
  readonly #stopServer: () => Promise<void>;
  readonly #awk = awkFolder();

  private constructor(state: string, kubectl: Kubectl, stopServer: () => Promise<void>) {
    this.state = state;
    this.kubeconfig = join(state, 'kubeconfig');
    this.kubectl = kubectl;
    this.#stopServer = stopServer;
  }

  /** With the mesh of shop.yaml. ISTIOD_STATE names the state folder of one that already runs. */
  static async start({log = 'default:info,krt:debug'} = {}): Promise<IstiodProgram> {
    const packed = packedKubectl('1.36');
    if (istioFolder === undefined || packed === undefined) throw new Error('there is no istiod here');
    const running = process.env.ISTIOD_STATE;
    if (running !== undefined) {
      const kubectl = await Kubectl.unpack(packed, join(running, 'kubeconfig'));
      return new IstiodProgram(running, kubectl, async () => kubectl.remove());
    }
    const server = await startReal('v1.36');
    const kubectl = await Kubectl.unpack(packed, server.kubeconfig);
    const stop = async () => {
      kubectl.remove();
      await server.stop();
    };
    try {
      const program = new IstiodProgram(server.state, kubectl, stop);
      const env = {...program.#env, KUBE_STATE: server.state, LOG: log};
      await run(join(istioFolder, 'up.sh'), {env, timeout: 300_000});
      return program;
    } catch (error) {
      await stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.#stopServer();
    rmSync(this.#awk, {recursive: true});
  }

  get #env(): NodeJS.ProcessEnv {
    return {...process.env, PATH: `${this.#awk}${delimiter}${process.env.PATH}`};
  }

  get url(): string {
    return readFileSync(join(this.state, 'istiod-url'), 'utf8').trim();
  }

  get krtz(): string {
    return `${this.url}/debug/krtz`;
  }

  get logFile(): string {
    return join(this.state, 'log', 'istiod.log');
  }

  get logSize(): number {
    return statSync(this.logFile).size;
  }

  /** The lines after this many bytes. */
  logFrom(size: number): string {
    return readFileSync(this.logFile).subarray(size).toString();
  }

  get waypointManifest(): string {
    return readFileSync(join(istioFolder ?? '', 'waypoint.yaml'), 'utf8');
  }

  async document(): Promise<WrittenCollection[] | {error: string}> {
    const answer = await fetch(this.krtz);
    const text = await answer.text();
    return answer.ok ? (JSON.parse(text) as WrittenCollection[]) : {error: `${answer.status} ${text.trim()}`};
  }

  /** Resolves when the log has been quiet for this long. */
  async quiet(milliseconds = 1500): Promise<void> {
    let size = this.logSize;
    for (let since = Date.now(); Date.now() - since < milliseconds; ) {
      await rest(100);
      if (this.logSize === size) continue;
      size = this.logSize;
      since = Date.now();
    }
  }

  get pid(): number {
    const lines = readFileSync(join(this.state, 'pids'), 'utf8').trim().split('\n');
    const last = lines.findLast(line => line.endsWith(' istiod'));
    return Number(last?.split(' ')[0]);
  }

  kill(): void {
    process.kill(this.pid, 'SIGKILL');
  }

  /** Starts it again after a kill, with another address of its API server if one is given. */
  async startAgain({server}: {server?: string} = {}): Promise<void> {
    const script = join(this.state, 'start-istiod.sh');
    if (server !== undefined) this.#useServer(script, server);
    await run(script, {env: this.#env});
    for (let tries = 0; tries < 600; tries++) {
      const isReady = await fetch(`${this.url}/ready`).then(
        ({ok}) => ok,
        () => false,
      );
      if (isReady) return;
      await rest(200);
    }
    throw new Error('istiod is not ready after two minutes');
  }

  #useServer(script: string, server: string): void {
    const config = readFileSync(this.kubeconfig, 'utf8').replace(/https:\/\/[^\s"]+/g, server);
    writeFileSync(join(this.state, 'kubeconfig-istiod'), config);
    const text = readFileSync(script, 'utf8');
    writeFileSync(
      script,
      text.replace(/--kubeconfig "[^"]*"/, `--kubeconfig "${this.state}/kubeconfig-istiod"`),
    );
  }

  /** The address of the API server. */
  get server(): string {
    return /https:\/\/[^\s"]+/.exec(readFileSync(this.kubeconfig, 'utf8'))?.[0] ?? '';
  }
}
