// A session of a real cluster behind the fault proxy, with a writer and an observer.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as rest} from 'node:timers/promises';
import {parseConfig} from '../../src/config.ts';
import type {OpenSession} from '../../src/engine/link/session.ts';
import {resources} from '../../src/kube/resource.ts';
import {SessionList} from '../../src/session/session-list.ts';
import {FaultProxy} from '../fault-proxy.ts';
import {ControlPlane} from './control-plane.ts';
import {busiest, SessionObserver} from './session-observer.ts';
import {ConfirmedWriteLog} from './write-log.ts';

interface TrialOutcome {
  name: string;
  lies: string[];
  looks: number;
  /** Milliseconds from the server's readiness until everything is current. */
  recovery: number;
  /** The busiest second for one kind since the first disruption. */
  rate: {path: string; asked: string[]};
  /** The oldest asOf, in milliseconds. */
  oldest: number;
  writes: number;
}

/** Disrupts the server. Returns the time by performance.now() at which it was ready again. */
export type Disruption = (trialSession: TrialSession) => Promise<number>;

export class TrialSession {
  readonly plane: ControlPlane;
  readonly proxy: FaultProxy;
  readonly session: OpenSession;
  readonly writeLog: ConfirmedWriteLog;
  readonly #sessions: SessionList;
  readonly #folder: string;

  private constructor(plane: ControlPlane, proxy: FaultProxy, sessions: SessionList, folder: string) {
    this.plane = plane;
    this.proxy = proxy;
    this.#sessions = sessions;
    this.session = sessions.first();
    this.writeLog = new ConfirmedWriteLog(plane.server.client, 'weather');
    this.#folder = folder;
  }

  static async open(): Promise<TrialSession> {
    const plane = await ControlPlane.start();
    const proxy = new FaultProxy(plane.server);
    await proxy.start();
    const folder = mkdtempSync(join(tmpdir(), 'krtscope-weather-'));
    const kubeconfig = writeKubeconfig(folder, {server: proxy.url}, {token: 'the proxy has its own'});
    const config = parseConfig(['--kubeconfig', kubeconfig, '--data-dir', folder], {}).config;
    const sessions = new SessionList(config, 'test');
    await sessions.chooseFirst({});
    const trialSession = new TrialSession(plane, proxy, sessions, folder);
    await trialSession.writeLog.begin();
    return trialSession;
  }

  async close(): Promise<void> {
    // A write to a stopped server would hang here.
    this.plane.resume();
    await this.writeLog.end();
    await this.#sessions.stop();
    await this.proxy.close();
    await this.plane.stop();
    rmSync(this.#folder, {recursive: true, force: true});
  }

  async trial(name: string, disruption: Disruption): Promise<TrialOutcome> {
    const observer = new SessionObserver(this.session, this.writeLog);
    try {
      await observer.current();
      const writes = this.writeLog.writes;
      const began = performance.now();
      const ready = await disruption(this);
      const recovery = (await observer.current()) - ready;
      const rate = busiest(this.proxy.seen, began);
      await this.equal(observer);
      const {lies, looks, oldest} = observer;
      return {name, lies, looks, recovery, rate, oldest, writes: this.writeLog.writes - writes};
    } finally {
      await observer.end();
    }
  }

  /** Waits until the rows equal the server's objects. */
  async equal(observer: SessionObserver): Promise<void> {
    let differs = '';
    for (let tries = 0; tries < 300; tries++) {
      differs = '';
      for (const collection of ['ConfigMaps', 'Pods'] as const) {
        const {items} = await this.plane.server.client.list(resources[collection], {});
        const held = await observer.items(collection);
        const there = items.map(({metadata}) => `${metadata.namespace}/${metadata.name} ${metadata.uid}`);
        const shown = held.map(
          ({key, value}) => `${key} ${(value as {metadata: {uid: string}}).metadata.uid}`,
        );
        if (String(there.sort()) !== String(shown.sort())) differs = `${collection}: ${shown} where ${there}`;
      }
      if (differs === '') return;
      await rest(100);
    }
    throw new Error(`rows and server differ: ${differs}`);
  }
}

export function writeKubeconfig(folder: string, cluster: object, user: object, name = 'kubeconfig'): string {
  const file = join(folder, name);
  const text = JSON.stringify({
    'current-context': 'real',
    clusters: [{name: 'c', cluster}],
    users: [{name: 'u', user}],
    contexts: [{name: 'real', context: {cluster: 'c', user: 'u'}}],
  });
  writeFileSync(file, text, {mode: 0o600});
  return file;
}
