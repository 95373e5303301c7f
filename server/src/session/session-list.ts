// The open sessions of this process: the first one is chosen at the start, others are opened and closed by the page.
import type {StoredRecording} from '@krtscope/shared/retention/disk-history.ts';
import type {Contexts, OpeningFile} from '@krtscope/shared/session.ts';
import {HistoryArchive} from '../archive/history-archive.ts';
import type {NamedFile} from '../attach/files/archive-entries.ts';
import {isSavedProgramFile, readSavedPrograms, SAVED_FILES_HINT} from '../attach/files/saved-programs.ts';
import type {AttachRequest, Config} from '../config.ts';
import {EngineFailure} from '../engine/link/engine-link.ts';
import type {Programs} from '../engine/link/programs.ts';
import type {AttachSessionRequest, OpenSession, SessionRequest, Sessions} from '../engine/link/session.ts';
import {openRecording} from '../engine/supervisor/start-engine.ts';
import {chooseCluster} from '../kube/credentials/contexts.ts';
import {credentialsOf} from '../kube/credentials/credentials.ts';
import {type Kubeconfig, readKubeconfig} from '../kube/credentials/kubeconfig.ts';
import {Transport} from '../kube/transport/transport.ts';
import type {Telemetry} from '../telemetry/telemetry.ts';
import {type AttachedProgram, attachSources, parseTargetRequest} from './attached/attach-sources.ts';
import type {AttachedFeed} from './attached/attached-feed.ts';
import {Demo} from './demo.ts';
import {probeContexts, readCurrentKubeconfig} from './kubeconfig-contexts.ts';
import {log} from './log.ts';
import {ControllerReceiver} from './programs/controller-receiver.ts';
import {ProgramSessions} from './programs/program-sessions.ts';
import {RedactionKeys} from './redaction-keys.ts';
import type {Session} from './session.ts';
import {SessionFactory} from './session-factory.ts';

const MAX_SESSIONS = 8;
/** How long to wait for the first krtz document. */
const FIRST_DOCUMENT_MS = 3000;
/** Milliseconds between two looks at whether saved documents are applied. */
const SETTLE_POLL_MS = 10;

export interface FirstSession {
  session: OpenSession;
  /** For the start lines: which cluster, and why. */
  line: string;
}

export class SessionList implements Sessions {
  readonly #config: Config;
  #firstCluster: {config: Kubeconfig; context: string} | undefined;
  readonly #factory: SessionFactory;
  readonly #archive: HistoryArchive | undefined;
  readonly #keys: RedactionKeys;
  readonly #sessions = new Map<string, Session>();
  /** The clusters of open sessions, by the name of the session. */
  readonly #clusters = new Map<string, {config: Kubeconfig; context: string}>();
  #demo: Demo | undefined;
  /** Files that are being read, with their progress. */
  readonly #opening = new Map<OpeningFile, AbortController>();
  #openingDemo: Promise<OpenSession> | undefined;
  #first = '';
  readonly #programs = new ProgramSessions({
    open: (name, feed) => void this.#add(this.#factory.fromProgram(name, feed)),
    close: name => void this.close(name),
    redactionKey: program => this.#keys.keyOf('program', program).toString('hex'),
    log,
    telemetry: () => this.#telemetry,
  });

  readonly #telemetry: Telemetry | undefined;

  constructor(config: Config, version: string, telemetry?: Telemetry) {
    this.#config = config;
    this.#telemetry = telemetry;
    this.#archive = openArchive(config);
    this.#keys = RedactionKeys.load(config.dataDir, log);
    this.#factory = new SessionFactory(config, version, this.#keys, {archive: this.#archive, telemetry});
  }

  /** Opens the cluster that flags, environment and files select. Throws KubeconfigError if it cannot be used. */
  async chooseFirst(env: Record<string, string | undefined>): Promise<FirstSession> {
    const {demo, kubeconfig, context, attach} = this.#config;
    const choice = demo ? undefined : chooseCluster({kubeconfig, context, env});
    if (choice === undefined && !demo && attach.length > 0) {
      const [session] = await this.attachAtStart();
      if (session === undefined) throw new EngineFailure(noSession);
      const {context: name, server} = session.describe().cluster;
      return {session, line: `attached to ${name} (${server}), because of --attach; no cluster is contacted`};
    }
    if (choice === undefined) {
      const session = await this.#openDemo();
      const why = demo ? 'because of --demo' : 'because there is no kubeconfig';
      return {session, line: `the demo, ${why}; its kubeconfig is ${this.#demo?.kubeconfig}`};
    }
    // Read the files of the context, without running anything, to report a missing file at once.
    credentialsOf(choice.config, choice.context);
    this.#firstCluster = {config: choice.config, context: choice.context};
    const session = this.#openCluster(choice.config, choice.context);
    return {
      session,
      line: `context ${choice.context} (${session.describe().cluster.server}), from ${choice.why}`,
    };
  }

  /** `tell` gets the share that was read, from 0 to 1. `left` aborts when the client leaves. */
  async openFile(
    bytes: Uint8Array,
    name: string,
    {tell, left}: {tell?: (share: number) => void; left?: AbortSignal | undefined} = {},
  ): Promise<OpenSession> {
    const file: OpeningFile = {name, share: 0};
    const end = new AbortController();
    const signal = left === undefined ? end.signal : AbortSignal.any([end.signal, left]);
    const onOpening = (share: number) => {
      file.share = share;
      tell?.(share);
    };
    this.#opening.set(file, end);
    const engine = await openRecording(bytes, {
      name,
      memoryMb: this.#config.engineMemory,
      onOpening,
      signal,
    }).finally(() => this.#opening.delete(file));
    return this.#add(this.#factory.fromRecording(this.#freeName(`file:${name}`), engine));
  }

  /**
   * Opens saved documents, logs and bug reports: one session for each program. Resolves when the first one shows its
   * last document. Rejects with an error in words.
   */
  async openSavedPrograms(files: readonly NamedFile[]): Promise<OpenSession> {
    const opened = readSavedPrograms(files).map(program => {
      this.#requireRoom();
      return this.#add(this.#factory.fromSavedProgram(this.#freeName(`file:${program.name}`), program));
    });
    const first = opened[0] as Session;
    while (first.link.unsettled > 0 && this.find(first.name) !== undefined)
      await new Promise(resolve => setTimeout(resolve, SETTLE_POLL_MS));
    return first;
  }

  /** The cluster that start chose; absent for the demo and for recordings. It decides who may enter. */
  get firstCluster(): {config: Kubeconfig; context: string} | undefined {
    return this.#firstCluster;
  }

  /** Receives the reports of other processes. */
  get programs(): Programs {
    return this.#programs;
  }

  first(): OpenSession {
    const session = this.#sessions.get(this.#first) ?? this.#sessions.values().next().value;
    if (session === undefined) throw new EngineFailure(noSession);
    return session;
  }

  find(name: string | undefined): OpenSession | undefined {
    return name === undefined ? this.first() : this.#sessions.get(name);
  }

  opening(): OpeningFile[] {
    return [...this.#opening.keys()];
  }

  list(): OpenSession[] {
    return [...this.#sessions.values()];
  }

  async open(request: SessionRequest, left?: AbortSignal): Promise<OpenSession> {
    if ('recording' in request) {
      this.#requireRoom();
      const file = {name: request.name, bytes: request.recording};
      try {
        if (isSavedProgramFile(file)) return await this.openSavedPrograms([file]);
        return await this.openFile(request.recording, request.name, {left});
      } catch (error) {
        throw new EngineFailure({
          code: 'bad-query',
          message: (error as Error).message,
          hint: SAVED_FILES_HINT,
        });
      }
    }
    if ('stored' in request) return this.#openStored(request.stored);
    if ('krtz' in request) return this.#openAttached(request);
    if ('demo' in request) return this.#sessions.get('demo') ?? this.#openDemoOnce();
    const existing = this.#sessions.get(request.context);
    const namespaces = request.namespaces ?? this.#config.namespaces;
    if (existing !== undefined && String(existing.describe().namespaces) === String(namespaces))
      return existing;
    const config = this.#kubeconfig();
    if (config?.contexts.has(request.context) !== true) {
      throw new EngineFailure({
        code: 'unknown-session',
        message: `the kubeconfig has no context "${request.context}"`,
        hint: 'GET /api/v1/contexts lists them',
      });
    }
    if (existing === undefined) return this.#openCluster(config, request.context, {namespaces});
    // A session with other namespaces of the same context replaces this one, because a name means one session.
    this.#sessions.delete(existing.name);
    await existing.stop();
    return this.open(request);
  }

  async close(name: string): Promise<boolean> {
    const session = this.#sessions.get(name);
    if (session === undefined) return false;
    if (this.#sessions.size === 1) {
      throw new EngineFailure({
        code: 'bad-query',
        message: `"${name}" is the only open session`,
        hint: 'open another one first',
      });
    }
    this.#sessions.delete(name);
    if (this.#first === name) this.#first = this.#sessions.keys().next().value ?? '';
    this.#programs.forget(name);
    this.#clusters.delete(name);
    await session.stop();
    if (name === 'demo') {
      await this.#demo?.stop();
      this.#demo = undefined;
    }
    return true;
  }

  async recordings(): Promise<StoredRecording[]> {
    return (await this.#archive?.list()) ?? [];
  }

  async removeRecording(id: string): Promise<boolean> {
    for (const {name, history} of this.#sessions.values()) {
      if (history.recording?.recording !== id) continue;
      throw new EngineFailure({
        code: 'bad-query',
        message: `the recording cannot be deleted: its session is open (${name})`,
        hint: 'close the session first',
      });
    }
    return (await this.#archive?.remove(id)) ?? false;
  }

  async #openStored(id: string): Promise<OpenSession> {
    for (const session of this.#sessions.values()) if (session.link.recording === id) return session;
    this.#requireRoom();
    const stored = (await this.recordings()).find(recording => recording.id === id);
    if (stored === undefined) {
      throw new EngineFailure({
        code: 'not-found',
        message: `there is no recording "${id}" on disk`,
        hint: 'GET /api/v1/recordings lists them',
      });
    }
    return this.#add(await this.#factory.fromStored(this.#freeName(`history:${stored.name}`), id));
  }

  contexts(): Promise<Contexts> {
    return probeContexts(this.#kubeconfig());
  }

  async stop(): Promise<void> {
    for (const end of this.#opening.values()) end.abort();
    await Promise.all([...this.#sessions.values()].map(session => session.stop()));
    await this.#demo?.stop();
    await this.#archive?.stop();
  }

  // Two clicks open one demo: a second cluster would leave the first one running.
  #openDemoOnce(): Promise<OpenSession> {
    this.#openingDemo ??= this.#openDemo().finally(() => {
      this.#openingDemo = undefined;
    });
    return this.#openingDemo;
  }

  async #openDemo(): Promise<OpenSession> {
    this.#requireRoom();
    const {demoSeed: seed, demoPace: pace, demoPods: pods, dataDir} = this.#config;
    const demo = await Demo.start({seed, pace, dataDir, pods});
    this.#demo = demo;
    demo.onExit(log);
    const config = readKubeconfig([demo.kubeconfig]);
    const session = this.#openCluster(config, config.currentContext ?? 'krtscope-demo', {demo});
    const newReceiver = () =>
      new ControllerReceiver({
        engine: session.link,
        session: session.name,
        program: 'krtscope-cluster',
        say: message => demo.tellProgram(JSON.stringify(message)),
        telemetry: this.#telemetry,
      });
    let receiver = newReceiver();
    demo.onProgram(text => receiver.take(text));
    demo.onExit(() => {
      receiver.disconnect();
      receiver = newReceiver();
    });
    return session;
  }

  #openCluster(
    config: Kubeconfig,
    context: string,
    {demo, namespaces = this.#config.namespaces}: {demo?: Demo; namespaces?: string[]} = {},
  ): Session {
    this.#requireRoom();
    const name = demo === undefined ? context : 'demo';
    this.#clusters.set(name, {config, context});
    const first = this.#first === '' || this.#first === name;
    return this.#add(this.#factory.fromCluster({name, config, context, namespaces, demo, first}));
  }

  /** Attaches to the programs that the flags name. Their documents may come later. */
  async attachAtStart(): Promise<OpenSession[]> {
    return Promise.all(
      this.#config.attach.map(({name, target, log: file}: AttachRequest) =>
        this.#openAttached({krtz: target, name, log: file === 'off' ? 'off' : undefined}, file),
      ),
    );
  }

  /** `file` is the path of a log. It is never taken over HTTP. */
  async #openAttached(request: AttachSessionRequest, file?: string): Promise<OpenSession> {
    this.#requireRoom();
    const target = parseTargetRequest(request.krtz);
    const [first, ...others] = await attachSources(target, request, file === 'off' ? undefined : file, () =>
      this.#clusterTransport(),
    );
    if (first === undefined) throw new EngineFailure(noSession);
    for (const one of others) this.#addAttached(one);
    const {session, feed} = this.#addAttached(first);
    // Wait briefly for the first document. A slow one shows its state in the session.
    await Promise.race([feed.poll(), new Promise(resolve => setTimeout(resolve, FIRST_DOCUMENT_MS).unref())]);
    return session;
  }

  /** Pods are reached with the credentials of the first cluster. */
  #clusterTransport(): Transport {
    const [cluster] = this.#clusters.values();
    if (cluster === undefined)
      throw new EngineFailure({
        code: 'bad-query',
        message: 'a Pod is reached through its cluster, and no cluster is open',
        hint: 'start krtscope with --kubeconfig or --context, or give the address of a document',
      });
    return new Transport(credentialsOf(cluster.config, cluster.context));
  }

  #addAttached({name, ...sources}: AttachedProgram): {session: Session; feed: AttachedFeed} {
    const clusters = () => [...this.#sessions.values()].flatMap(({feed}) => feed.objects ?? []);
    const added = this.#factory.fromAttachedProgram(this.#freeName(`attached:${name}`), name, {
      ...sources,
      clusters,
    });
    this.#add(added.session);
    return added;
  }

  #add(session: Session): Session {
    this.#sessions.set(session.name, session);
    if (this.#first === '') this.#first = session.name;
    return session;
  }

  #freeName(name: string): string {
    let free = name;
    for (let n = 2; this.#sessions.has(free); n++) free = `${name}#${n}`;
    return free;
  }

  #requireRoom(): void {
    const own = [...this.#sessions.values()].filter(({feed}) => feed.cluster.kind !== 'program');
    if (own.length + this.#opening.size < MAX_SESSIONS) return;
    throw new EngineFailure({
      code: 'too-many',
      message: `${MAX_SESSIONS} sessions are open or being opened, each with an engine process`,
      hint: 'close one first',
    });
  }

  #kubeconfig(): Kubeconfig | undefined {
    return readCurrentKubeconfig(this.#config.kubeconfig);
  }
}

/** Undefined if history is not kept on disk. */
function openArchive({
  historyDir,
  historyDays: days,
  historyDisk,
  historyRuns: ringRuns,
  engineMemory,
}: Config): HistoryArchive | undefined {
  if (historyDisk === 0) return undefined;
  return new HistoryArchive({
    folder: historyDir,
    limits: {days, bytes: historyDisk * 2 ** 30},
    memoryMb: engineMemory,
    ringRuns,
    log,
  });
}

const noSession = {
  code: 'unknown-session' as const,
  message: 'no session is open',
  hint: 'open one at /connect',
};
