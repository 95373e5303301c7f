// Samples of the sentences of the checks.
import type {Clause} from '../../../krt/index.ts';
import * as attachedCheck from '../attached-check-sentence.ts';
import * as clusterCheck from '../cluster-check-sentence.ts';
import * as controllerCheck from '../controller-check-sentence.ts';
import * as engineCheck from '../engine-check-sentence.ts';
import * as programWork from '../program-work-sentence.ts';
import * as syncCheck from '../sync-check-sentence.ts';
import * as workCheck from '../work-check-sentence.ts';
import {
  backend,
  checked,
  forbidden,
  inShop,
  laggingInformer,
  missingDocument,
  namespace,
  pod,
  service,
  source,
  workFacts,
  workload,
} from './testing-sentence-objects.ts';
import type {Samples} from './testing-sentence-samples.ts';

export const checkSamples: Record<string, Samples> = {
  'attached-check-sentence': {
    missingDocumentWords: [
      attachedCheck.missingDocumentWords({...missingDocument, hasLog: true, hasRows: true}),
      attachedCheck.missingDocumentWords({...missingDocument, hasLog: false, hasRows: true}),
      attachedCheck.missingDocumentWords({...missingDocument, hasLog: false, hasRows: false}),
    ],
    informerLagWords: [
      attachedCheck.informerLagWords({...laggingInformer, behind: ['shop/cart'], missing: [], extra: []}),
      attachedCheck.informerLagWords({
        ...laggingInformer,
        behind: ['shop/cart', 'shop/web'],
        missing: ['shop/new'],
        extra: ['shop/old'],
      }),
    ],
  },
  'program-work-sentence': {
    workFactWords: [...workFacts.map(fact => programWork.workFactWords('istiod', fact))],
  },
  'controller-check-sentence': {
    controllerFailsWords: [
      controllerCheck.controllerFailsWords({...checked, error: 'no such bucket\n  at reconcile'}),
      controllerCheck.controllerFailsWords({...checked, requests: ['shop/web', 'shop/db', 'shop/cart']}),
    ],
    controllerLoopsWords: [controllerCheck.controllerLoopsWords(checked)],
    controllerConflictsWords: [controllerCheck.controllerConflictsWords({...checked, requests: []})],
    controllerHangsWords: [
      controllerCheck.controllerHangsWords({...checked, step: 'get Secret'}),
      controllerCheck.controllerHangsWords(checked),
    ],
  },
  'cluster-check-sentence': {
    selectsNothingWords: [
      clusterCheck.selectsNothingWords({...service, namespace: 'shop', selector: {app: 'cart'}, pods: 12}),
      clusterCheck.selectsNothingWords({...service, namespace: 'shop', selector: {app: 'cart'}, pods: 0}),
    ],
    unselectedPodWords: [
      clusterCheck.unselectedPodWords({
        key: pod.key,
        label: 'app',
        has: 'crat',
        wanted: 'cart',
        service: service.key,
        siblings: 2,
        command: 'kubectl -n shop label pod cart-x app=cart --overwrite',
      }),
      clusterCheck.unselectedPodWords({
        key: pod.key,
        label: 'app',
        has: undefined,
        wanted: 'cart',
        service: service.key,
        siblings: 1,
        command: undefined,
      }),
    ],
    crashLoopWords: [
      clusterCheck.crashLoopWords({key: pod.key, container: 'c', restarts: 14, exitCode: 1, reason: 'Error'}),
      clusterCheck.crashLoopWords({key: pod.key, container: undefined, restarts: 1}),
    ],
    endpointsDisagreeWords: (['only-pods', 'only-slices', 'ready-differs'] as const).flatMap(how => [
      clusterCheck.endpointsDisagreeWords(service.key, [backend.key], how),
      clusterCheck.endpointsDisagreeWords(service.key, [backend.key, `${backend.key}81`], how),
    ]),
    groupTitle: ['selects-nothing', 'unselected-pod', 'crash-loop'].map(code =>
      clusterCheck.groupTitle(code, 3),
    ),
  },
  'work-check-sentence': {
    fullScanWords: (
      [
        {kind: 'every-change', inputs: 4},
        {kind: 'last-minute', items: 400},
        {kind: 'each-run', items: 80},
      ] as const
    ).map((cost, place) =>
      workCheck.fullScanWords({
        reader: workload,
        runs: place * 30,
        fetch: {
          collection: 'Pods',
          filter: 'all',
          matched: 80,
          clauses: [
            ([{kind: 'all', text: ''}, {kind: 'generic', text: '', name: 'isBig'}, inShop] as Clause[])[
              place
            ] as Clause,
          ],
        },
        size: 80,
        cost,
        namespaced: true,
      }),
    ),
    wastedRunsWords: [workCheck.wastedRunsWords('Workloads', {runs: 41, equal: 40, last: namespace})],
    hotWords: [workCheck.hotWords('Workloads', {runs: 2100, milliseconds: 9300})],
    hotItemWords: [workCheck.hotItemWords(workload, 140)],
    fanOutWords: [
      workCheck.fanOutWords({
        root: namespace,
        sequence: 38,
        collections: ['Workloads', 'WorkloadServices'],
        runs: 1400,
        milliseconds: 120,
      }),
    ],
    flipFlopWords: [
      workCheck.flipFlopWords({
        row: workload,
        path: {path: 'waypoint', old: 'a', new: 'b'},
        times: 8,
        seconds: 20,
        others: 2,
        causes: [namespace],
      }),
      workCheck.flipFlopWords({
        row: workload,
        path: undefined,
        times: 5,
        seconds: 9,
        others: 0,
        causes: [pod, service],
      }),
    ],
  },
  'sync-check-sentence': {
    forbiddenWords: [syncCheck.forbiddenWords(source)],
    unauthorizedWords: [syncCheck.unauthorizedWords(source)],
    unreachableWords: [syncCheck.unreachableWords({...source, reason: undefined})],
    notInstalledWords: [
      syncCheck.notInstalledWords({name: 'Gateways', resource: 'gateways.gateway.networking.k8s.io'}),
    ],
    leftOutWords: [syncCheck.leftOutWords({name: 'Secrets', resource: 'secrets'})],
    staleWords: [
      syncCheck.staleWords(source, Date.UTC(2026, 10, 17, 15, 4, 12)),
      syncCheck.staleWords({...source, reason: undefined}, undefined),
    ],
    notSyncedWords: [syncCheck.notSyncedWords(forbidden, 3, ['Backends', 'Workloads', 'Namespaces'])],
    orphanWords: [
      syncCheck.orphanWords(workload, 1, ['Old']),
      syncCheck.orphanWords(workload, 2, ['Old', 'Older']),
    ],
    discardWords: [syncCheck.discardWords(workload, 2)],
    unusedWords: [syncCheck.unusedWords('Secrets', 1)],
    gapWords: (
      [
        ['watch', 'what happened'],
        ['engine', 'what happened'],
        ['engine', 'krtscope was not running for 3 s. 12 objects were replayed.'],
        ['program', 'what happened'],
      ] as const
    ).map(([kind, text]) => syncCheck.gapWords(kind, 3200, text)),
  },
  'engine-check-sentence': {
    violationWords: Object.values(engineCheck.violationWords).flatMap(({title, hint}) => [
      {title: title('Workloads', 2), message: 'the message of the engine', hint},
    ]),
    unknownViolationTitle: [engineCheck.unknownViolationTitle('new-code', 'Workloads')],
    failedRunsWords: [
      engineCheck.failedRunsWords(workload, 1, 'TypeError: x'),
      engineCheck.failedRunsWords(workload, 3, undefined),
    ],
  },
};
