// Watches behind a proxy that lies: it drops or changes events and keeps the watch alive.
import {describe, expect, test} from 'vitest';
import type {Informer} from '../../src/kube/informer/informer.ts';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import {InformerRig} from './rig.ts';

interface EventLine {
  type: string;
  object: {metadata: {name?: string; uid?: string; resourceVersion?: string}; data?: Record<string, string>};
}

/** The proxy edits every line of a watch from now on. Undefined drops the line. */
function editLines(rig: InformerRig, edit: (event: EventLine) => EventLine | EventLine[] | undefined): void {
  rig.proxy.rules = [
    ({watch}) =>
      watch
        ? {
            kind: 'edit',
            line: text => {
              const edited = edit(JSON.parse(text) as EventLine);
              const lines = edited === undefined ? [] : [edited].flat();
              return lines.map(line => `${JSON.stringify(line)}\n`).join('');
            },
          }
        : undefined,
  ];
}

async function settle(rig: InformerRig, audit: Promise<unknown>): Promise<void> {
  let done = false;
  void audit.then(() => {
    done = true;
  });
  await eventually('the audit ends', () => done, {between: () => rig.clock.advance(100)});
}

function texts(informer: Informer): string[] {
  return informer.cache
    .list()
    .map(({metadata, data}) => `${metadata.name}=${(data as {text?: string}).text}`)
    .sort();
}

export function auditSuite(server: () => TestServer): void {
  describe('audits', () => {
    test('find lost adds, updates and deletes, repair them and report them', async () => {
      await using rig = await InformerRig.make(server(), ['a', 'b', 'c']);
      let lies = false;
      editLines(rig, event => (lies && event.type !== 'BOOKMARK' ? undefined : event));
      const informer = await rig.synced();
      lies = true;
      await rig.update('a', {text: '2'});
      await rig.remove('b');
      await rig.create('d');
      await new Promise(resolve => setTimeout(resolve, 50));
      expect(texts(informer)).toEqual(['a=a', 'b=b', 'c=c']);
      await settle(rig, informer.audit());
      await eventually('repaired', () => texts(informer).join() === 'a=2,c=c,d=d', {
        between: () => rig.clock.advance(50),
      });
      expect(rig.gaps).toMatchObject([{missed: 3, differed: 3}]);
    });

    test('report nothing while objects change', async () => {
      await using rig = await InformerRig.make(server(), ['a', 'b']);
      const informer = await rig.synced();
      let writing = true;
      const writes = (async () => {
        for (let n = 0; writing; n++) await rig.update('a', {text: String(n)});
      })();
      for (let n = 0; n < 5; n++) await settle(rig, informer.audit());
      writing = false;
      await writes;
      expect(rig.gaps).toEqual([]);
      expect(informer.state.phase).toBe('synced');
    });

    test('start by themselves when a quiet probe shows another number of objects', async () => {
      await using rig = await InformerRig.make(server(), ['a', 'b']);
      let lies = false;
      editLines(rig, event => (lies && event.type !== 'BOOKMARK' ? undefined : event));
      // remainingItemCount needs a list without selectors.
      const informer = await rig.synced({scopes: [{namespace: rig.namespace}]});
      lies = true;
      await rig.remove('b');
      // The silence after which the monitor sends a probe.
      rig.clock.advance(31_000);
      await eventually('the cache lacks b', () => informer.cache.get(`${rig.namespace}/b`) === undefined, {
        between: () => {
          if (rig.proxy.busy === 0) rig.clock.advance(10);
        },
      });
      expect(rig.gaps).toMatchObject([{missed: 1}]);
    });

    test('a false DELETED with the version of the next event does not hide that event', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      editLines(rig, event => {
        if (event.type !== 'MODIFIED') return event;
        const {resourceVersion} = event.object.metadata;
        const other = {...event.object, metadata: {name: 'other', uid: 'other', resourceVersion}};
        return [{type: 'DELETED', object: other}, event];
      });
      const informer = await rig.synced();
      await rig.update('a', {text: '2'});
      await eventually('the update', () => texts(informer).join() === 'a=2');
    });

    test('the same version with other content is applied and reported', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      editLines(rig, event => {
        if (event.type !== 'MODIFIED') return event;
        return [{...event, object: {...event.object, data: {text: 'false'}}}, event];
      });
      const informer = await rig.synced();
      await rig.update('a', {text: '2'});
      await eventually('the update', () => texts(informer).join() === 'a=2');
      expect(rig.problems).toEqual([expect.stringContaining('came twice in version')]);
    });
  });

  describe('faulty answers', () => {
    test('an object without metadata costs that object, in a list and in a watch', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      editLines(rig, event => {
        if (event.type === 'BOOKMARK') return event;
        return [{type: 'ADDED', object: {...event.object, metadata: null}} as unknown as EventLine, event];
      });
      const informer = await rig.synced();
      await rig.create('b');
      await eventually('both are there', () => texts(informer).join() === 'a=a,b=b');
      // A list in pages has no lines to edit: there only the watch brings one.
      expect(rig.problems.length).toBeGreaterThan(0);
      expect(
        new Set(rig.problems.map(problem => problem.replace(/^.*(list|watch).*(object)/, '$2'))),
      ).toEqual(new Set(['object without metadata; it was skipped']));
    });

    test('a redirect is reported with its address', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      rig.proxy.rules = [
        () => ({kind: 'answer', code: 302, headers: {location: 'https://login.example/'}, body: ''}),
      ];
      const informer = rig.informer();
      informer.start();
      await rig.reaches(informer, 'unreachable');
      expect(informer.state.reason).toBe(
        'the server answered 302: it redirects to https://login.example/; check the server address in the kubeconfig',
      );
    });
  });
}
