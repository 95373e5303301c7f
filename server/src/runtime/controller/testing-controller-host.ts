// A cache that tests fill, and controllers on a manual clock.

import {ManualClock} from '../../../test/manual-clock.ts';
import type {Change} from '../../kube/informer/change-handler.ts';
import {InformerHandlerQueue} from '../../kube/informer/change-handler.ts';
import {type KubeObject, keyOf} from '../../kube/object.ts';
import {resources} from '../../kube/resource.ts';
import type {Cache} from '../cache/cache.ts';
import {type LoggerLine, makeLogger} from '../log/logger.ts';
import {Metrics} from '../metrics/metrics.ts';
import {type Kind, kindId} from '../scheme/kind.ts';
import type {TracerSlot} from '../trace/tracer.ts';
import type {Controller} from './controller.ts';
import {ControllerBuilder, type ControllerDefaults, type ControllerHost} from './controller-builder.ts';

class TestInformer {
  readonly objects = new Map<string, KubeObject>();
  readonly #handlers = new Set<InformerHandlerQueue>();
  synced = true;

  addHandler(handler: InformerHandlerQueue['handler']): InformerHandlerQueue {
    const queue = new InformerHandlerQueue(
      handler,
      problem => {
        throw new Error(problem);
      },
      gone => this.#handlers.delete(gone),
    );
    this.#handlers.add(queue);
    queue.changes(
      Array.from(this.objects, ([key, object]): Change => ({event: 'add', key, new: object, initial: true})),
    );
    if (this.synced) queue.synced();
    return queue;
  }

  tell(change: Change): void {
    for (const handler of this.#handlers) handler.changes([change]);
  }

  sync(): void {
    this.synced = true;
    for (const handler of this.#handlers) handler.synced();
  }
}

export class TestCache {
  readonly #informers = new Map<string, TestInformer>();
  /** Errors to throw, by kind. */
  readonly refused = new Map<string, Error>();

  of(kind: Kind): TestInformer {
    const id = `${kindId(kind)}${kind.metadataOnly ? ' metadata' : ''}`;
    let informer = this.#informers.get(id);
    if (!informer) {
      informer = new TestInformer();
      this.#informers.set(id, informer);
    }
    return informer;
  }

  get kinds(): string[] {
    return [...this.#informers.keys()];
  }

  async informer(kind: Kind): Promise<TestInformer> {
    const refused = this.refused.get(kind.kind);
    if (refused) throw refused;
    return this.of(kind);
  }

  apply(kind: Kind, object: KubeObject): void {
    const informer = this.of(kind);
    const key = keyOf(object);
    const old = informer.objects.get(key);
    informer.objects.set(key, object);
    const event = old ? 'update' : 'add';
    informer.tell({event, key, old, new: object, initial: false});
  }

  remove(kind: Kind, key: string, unseen = false): void {
    const informer = this.of(kind);
    const old = informer.objects.get(key);
    if (!old) return;
    informer.objects.delete(key);
    informer.tell({event: 'delete', key, old, initial: false, unseen: unseen || undefined});
  }

  resync(kind: Kind): void {
    const informer = this.of(kind);
    for (const [key, object] of informer.objects)
      informer.tell({event: 'update', key, old: object, new: object, initial: false});
  }
}

export class TestHost {
  readonly clock = new ManualClock();
  readonly cache = new TestCache();
  readonly metrics = new Metrics();
  readonly lines: LoggerLine[] = [];
  readonly tracer: TracerSlot = {current: undefined};
  readonly controllers: Controller[] = [];
  readonly stop = new AbortController();
  readonly #names = new Set<string>();
  readonly host: ControllerHost;

  constructor(controllerDefaults: ControllerDefaults = {}) {
    this.host = {
      cache: this.cache as unknown as Cache,
      clock: this.clock,
      mapper: {
        known: ({kind}) => (kind === 'Node' ? resources.Nodes : resources.Pods),
        resource: refuseRequest,
      },
      controllerDefaults,
      surroundings: {
        clock: this.clock,
        log: makeLogger(line => this.lines.push(line)),
        metrics: this.metrics,
        tracer: this.tracer,
      },
      claimName: name => {
        if (this.#names.has(name)) throw new Error(`controller ${name} exists already`);
        this.#names.add(name);
      },
      add: controller => this.controllers.push(controller),
    };
  }

  build(): ControllerBuilder {
    return new ControllerBuilder(this.host);
  }

  /** Starts the controllers and waits until they are idle. */
  async start(): Promise<Promise<void>[]> {
    const running = this.controllers.map(controller => controller.start(this.stop.signal));
    await settle();
    return running;
  }

  /** Advances the clock and runs due timers. */
  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settle();
  }

  async metric(name: string, labels: Record<string, string>): Promise<number | undefined> {
    const found = await this.metrics.registry.getSingleMetric(name)?.get();
    const wanted = Object.entries(labels);
    return found?.values.find(one =>
      wanted.every(([label, value]) => String((one.labels as Record<string, unknown>)[label]) === value),
    )?.value;
  }
}

function refuseRequest(): never {
  throw new Error('the test has no such kind');
}

/** Waits until no work is left that does not need the clock. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
}

export function pod(name: string, more: {namespace?: string} & Record<string, unknown> = {}): KubeObject {
  const {namespace = 'default', ...metadata} = more;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {namespace, name, uid: `uid-${name}`, resourceVersion: '1', generation: 1, ...metadata},
  };
}
