// Every sentence template with sample data, for docs/sentences.md. A template without a sample fails the test.
import type {OriginWrite} from '@krtscope/shared/origin.ts';
import type {Hop, SentencePart} from '@krtscope/shared/why.ts';
import type {Clause} from '../../krt/index.ts';
import * as attachedCheck from './attached-check-sentence.ts';
import * as change from './change-sentence.ts';
import * as clusterCheck from './cluster-check-sentence.ts';
import * as controllerCheck from './controller-check-sentence.ts';
import * as effect from './effect-sentence.ts';
import * as empty from './empty-sentence.ts';
import * as engineCheck from './engine-check-sentence.ts';
import * as fix from './fix-sentence.ts';
import * as incident from './incident-sentence.ts';
import * as lookup from './lookup-sentence.ts';
import * as origin from './origin-sentence.ts';
import * as step from './origin-step-sentence.ts';
import {ruledOutWords} from './ruled-out-words.ts';
import {say, subject} from './say.ts';
import * as syncCheck from './sync-check-sentence.ts';
import * as unknown from './unknown-sentence.ts';
import * as verdict from './verdict-sentence.ts';
import * as why from './why-sentence.ts';
import * as workCheck from './work-check-sentence.ts';

type Rendered = string | readonly SentencePart[] | clusterCheck.CheckWords | undefined;
export type Samples = Record<string, readonly Rendered[]>;

const pod = {collection: 'Pods', key: 'shop/cart-x'};
const service = {collection: 'Services', key: 'shop/cart'};
const namespace = {collection: 'Namespaces', key: 'shop'};
const workload = {collection: 'Workloads', key: 'shop/cart-x'};
const backend = {collection: 'Backends', key: 'shop/cart/10.0.0.5:80'};
const row = {collection: 'WorkloadsByNode', key: 'n1'};

const label = {path: 'metadata.labels.app', old: 'cart', new: 'crat', needed: true};
const hopOf = (more: Partial<Hop> = {}): why.HopWords => ({
  hop: {kind: 'write', ...pod, sequence: 38, at: 0, event: 'update', changes: [label], ...more},
  whole: undefined,
});
const kubectl = {manager: 'kubectl-label', operation: 'Update'};
const written = hopOf({writer: kubectl});
const forbidden = {collection: 'Namespaces', state: 'forbidden', reason: '403'};

const selects: Clause = {kind: 'selects', text: '', labels: {app: 'crat'}, nonEmpty: true};
const inShop: Clause = {kind: 'namespace', text: '', namespace: 'shop'};
const lookupOf = (clauses: Clause[], more: Partial<lookup.Lookup> = {}): lookup.Lookup => ({
  collection: 'Services',
  filter: 'namespace shop and selects non-empty {app=crat}',
  clauses,
  by: pod,
  row: workload,
  isSelector: false,
  ...more,
});
const selectorMiss = {clause: 'selector.app', wants: '= crat', new: 'cart', matchesNew: false};
const labelMiss = {clause: 'labels.app', wants: '= cart', new: 'crat', matchesNew: false};
const unsetLabel = {clause: 'labels.app', wants: '= cart', new: 'not set', matchesNew: false};
const byPod = lookupOf([inShop, selects]);
const byService = lookupOf([inShop, {kind: 'labels', text: '', labels: {app: 'cart'}}], {
  collection: 'Pods',
  filter: 'namespace shop and labels app=cart',
  by: service,
  row: {collection: 'ServiceInfos', key: 'shop/cart'},
  isSelector: true,
});
const constant = {...byService, isSelector: false};

const write: OriginWrite = {
  ...pod,
  event: 'update',
  path: 'metadata.labels.app',
  old: 'cart',
  new: 'crat',
  manager: 'kubectl-label',
  sequence: 38,
  time: '2026-11-17T15:04:12.120Z',
};
const {manager: _, ...anonymous} = write;
const servicesLost: step.ChangeWords = {
  ...workload,
  event: 'update',
  old: {services: ['cart']},
  new: {services: []},
  path: 'services',
};
const relabelled: step.ChangeWords = {
  ...pod,
  event: 'update',
  old: {metadata: {labels: {app: 'cart'}}},
  new: {metadata: {labels: {app: 'crat'}}},
  path: 'metadata.labels.app',
};
const rowLost = step.rowChangeParts(workload, servicesLost);
const missed = lookup.missedParts(byPod, {...service, failing: selectorMiss});
const phase = {path: 'status.phase', value: 'Pending', others: ['Running'], compared: 3};
const guess = empty.likelyFieldParts(phase);
const source = {name: 'Pods', resource: 'pods', reason: 'connection refused'};

/** By the name of the module and of the template. */
const checked = {controller: 'certificate', requests: ['shop/web']};

const missingDocument = {
  program: 'istiod',
  reason: 'status 500: json: unsupported type',
  hint: 'remove the Gateway',
};
const laggingInformer = {program: 'istiod', collection: 'informer/Services', resource: 'services'};

export const samples: Record<string, Samples> = {
  'change-sentence': {
    pathChangeParts: [
      change.pathChangeParts(label),
      change.pathChangeParts({path: 'metadata.labels.app', new: 'cart'}),
      change.pathChangeParts({path: 'metadata.labels.app', old: 'cart'}),
      change.pathChangeParts({path: 'spec.replicas', old: 3, new: 5}),
      change.pathChangeParts({path: 'status.podIP', new: '10.0.0.5'}),
      change.pathChangeParts({path: '', old: 1, new: 2}),
    ],
    changeParts: [
      change.changeParts('add', []),
      change.changeParts('delete', []),
      change.changeParts('update', [label, {path: 'spec.nodeName', new: 'n1'}]),
      change.changeParts('update', [label, {path: 'metadata.labels.tier', new: 'web', needed: true}]),
      change.changeParts('update', [], 'replaced'),
      change.changeParts('update', [{path: 'metadata.deletionTimestamp', new: 'x'}], 'deleting'),
      change.changeParts('update', [], 'values-lost'),
      change.changeParts('update', []),
    ],
    changeOfPathParts: [
      change.changeOfPathParts(relabelled, relabelled.path),
      change.changeOfPathParts(relabelled, undefined),
      change.changeOfPathParts({event: 'add'}, undefined),
    ],
    writerParts: [change.writerParts(kubectl)],
    observedParts: [change.observedParts(pod, 'update'), change.observedParts(pod, undefined)],
    unknownCauseParts: [change.unknownCauseParts([]), change.unknownCauseParts([pod, service])],
  },
  'why-sentence': {
    hopParts: [why.hopParts(written)],
    outcomeParts: (
      [
        'added',
        'deleted',
        'changed',
        'equal',
        'empty',
        'discarded',
        'failed',
        'suspended',
        'observed',
      ] as const
    ).map(outcome => why.outcomeParts(outcome, {first: false, error: 'TypeError: x is not a function'})),
    suspendedRunParts: [
      why.suspendedRunParts('Namespaces', forbidden),
      why.suspendedRunParts('Workloads', forbidden),
      why.suspendedRunParts('Namespaces', undefined),
      why.suspendedRunParts(undefined, undefined),
    ],
    causeParts: [
      why.causeParts({cause: {kind: 'formula'}, hop: undefined, first: true}),
      why.causeParts({cause: {kind: 'formula'}, hop: undefined, first: false}),
      ...[
        {kind: 'removed' as const, because: []},
        {kind: 'removed' as const, module: 'shop.graph.ts', because: []},
        {kind: 'rebuilt' as const, because: ['Workloads']},
      ].map(ending => why.causeParts({cause: {kind: 'formula'}, hop: undefined, first: false, ending})),
      why.causeParts({cause: {kind: 'synced', collection: 'Pods'}, hop: undefined, first: false}),
      why.causeParts({cause: {kind: 'trigger', collection: 'Recompute'}, hop: undefined, first: false}),
      why.causeParts({cause: {kind: 'input'}, hop: written, first: false, writer: kubectl}),
      why.causeParts({
        cause: {kind: 'input'},
        hop: hopOf({...service, changes: [{path: 'spec.selector.app', old: 'a', new: 'b'}]}),
        first: false,
        filter: {collection: 'Pods', now: 'labels app=b', before: 'labels app=a'},
      }),
      why.causeParts({
        cause: {kind: 'fetch', collection: 'Pods', filter: 'labels app=cart', matched: 'old'},
        hop: written,
        first: false,
      }),
    ],
    chainEndParts: [
      why.chainEndParts({others: 2}),
      why.chainEndParts({others: 0, replacedFormula: 'Workloads'}),
      why.chainEndParts({others: 0, standing: pod, writer: kubectl}),
      why.chainEndParts({others: 1, write: {...pod, event: 'add'}, writer: kubectl}),
    ],
    otherOutputsParts: [why.otherOutputsParts({added: 1, changed: 0, deleted: 2})],
    runParts: [
      why.runParts({
        about: workload,
        outcome: 'changed',
        first: false,
        because: {cause: {kind: 'input'}, hop: written, first: false, writer: kubectl},
        end: {others: 0},
      }),
      why.runParts({
        about: workload,
        outcome: 'empty',
        first: true,
        because: {cause: {kind: 'input'}, hop: hopOf({event: 'add', changes: []}), first: true},
        end: {others: 0},
      }),
    ],
    waitingRunParts: [
      why.waitingRunParts(workload, 'Namespaces', forbidden, undefined),
      why.waitingRunParts(workload, 'Namespaces', forbidden, {
        cause: {kind: 'input'},
        hop: written,
        first: false,
      }),
    ],
    noRunYetParts: [
      why.noRunYetParts(workload, 'Workloads', 'Namespaces'),
      why.noRunYetParts(workload, 'Workloads', undefined),
    ],
    unchangedParts: [why.unchangedParts(pod)],
    deletedInputParts: [why.deletedInputParts(workload, pod, 'empty')],
    rowReasonParts: [
      why.rowReasonParts({kind: 'write', writer: kubectl}),
      why.rowReasonParts({kind: 'rolled-off', oldest: 120}),
      why.rowReasonParts({kind: 'began', part: undefined}),
      why.rowReasonParts({kind: 'began', part: pod}),
      why.rowReasonParts({kind: 'run', of: workload, because: say` because its formula was replaced`}),
      why.rowReasonParts({kind: 'ended', ending: {kind: 'removed', because: []}}),
      why.rowReasonParts({kind: 'formula'}),
      why.rowReasonParts({kind: 'change', relation: 'part', below: hopOf({event: 'delete'})}),
      why.rowReasonParts({kind: 'change', relation: 'input', below: written}),
      why.rowReasonParts({kind: 'change', relation: 'fetch', below: written}),
    ],
  },
  'effect-sentence': {
    equalEndWords: [effect.equalEndWords],
    emptyEndWords: [effect.emptyEndWords(true), effect.emptyEndWords(false)],
    failedEndWords: [effect.failedEndWords('TypeError: x\n at y', effect.remainingRowsWords(1))],
    suspendedEndWords: [effect.suspendedEndWords('Namespaces'), effect.suspendedEndWords(undefined)],
    discardedEndWords: [effect.discardedEndWords(effect.remainingRowsWords(0))],
    remainingRowsWords: [effect.remainingRowsWords(1), effect.remainingRowsWords(0)],
    lateReadersWords: [effect.lateReadersWords(['Workloads', 'ServiceInfos'])],
    noReadersWords: [effect.noReadersWords('Secrets')],
    filterMissWords: [effect.filterMissWords(['Workloads'])],
    unchangedReadersWords: [effect.unchangedReadersWords(['WorkloadsByNode'])],
  },
  'lookup-sentence': {
    notFoundParts: [
      lookup.notFoundParts(byPod, service, selectorMiss),
      lookup.notFoundParts(byService, pod, labelMiss),
      lookup.notFoundParts(byService, pod, unsetLabel),
      lookup.notFoundParts(constant, pod, labelMiss),
      lookup.notFoundParts(byService, pod, {clause: 'metadata.namespace', wants: '= shop', new: 'data'}),
      lookup.notFoundParts(lookupOf([]), service, {clause: 'key', wants: '= shop/other', new: 'shop/cart'}),
      lookup.notFoundParts(byPod, service, {clause: 'selector', wants: 'not empty', new: '{}'}),
      lookup.notFoundParts(constant, pod, {clause: 'isBig', wants: 'true', new: 'false'}),
      lookup.notFoundParts(constant, pod, {clause: 'index zone', wants: '= a', new: 'b'}),
      lookup.notFoundParts(constant, pod, undefined),
    ],
    missedParts: [
      missed,
      lookup.missedParts(byPod, undefined),
      lookup.missedParts(byService, {...pod, failing: labelMiss}),
      lookup.missedParts(byService, {...pod, failing: unsetLabel}),
      lookup.missedParts(constant, {...pod, failing: labelMiss}),
      lookup.missedParts(constant, {...pod, failing: {clause: 'metadata.namespace', wants: '= a', new: 'b'}}),
      lookup.missedParts(byPod, {...service, failing: undefined}),
      lookup.missedParts(lookupOf([{kind: 'keys', text: '', keys: ['shop/cart']}]), undefined),
      lookup.missedParts(lookupOf([inShop]), undefined),
      lookup.missedParts(
        lookupOf([{kind: 'index', text: '', index: 'zone', value: 'a'}], {filter: 'index zone = a'}),
        undefined,
      ),
    ],
  },
  'verdict-sentence': {
    computedFromParts: [verdict.computedFromParts(backend, workload)],
    goneParts: [
      verdict.goneParts(workload, {
        sequence: 44,
        isRow: true,
        because: hopOf({event: 'delete'}),
        hasInput: false,
      }),
      verdict.goneParts(backend, {sequence: 44, isRow: true, because: written, hasInput: true}),
      verdict.goneParts(workload, {sequence: 44, isRow: false, because: undefined, hasInput: false}),
    ],
    waitingParts: [
      verdict.waitingParts(subject(workload), 'Namespaces', forbidden),
      verdict.waitingParts(subject(backend), 'Workloads', forbidden),
      verdict.waitingParts(subject(workload), undefined, undefined),
    ],
    failedParts: [
      verdict.failedParts(workload, {
        sequence: 44,
        error: 'TypeError: x',
        remaining: 'the last good rows stay',
      }),
    ],
    discardedParts: [verdict.discardedParts(workload, {sequence: 44, remaining: 'it has no rows'})],
    didNotLookParts: [
      verdict.didNotLookParts(row, 'Nodes', {kind: 'view', parents: ['Workloads']}),
      verdict.didNotLookParts(pod, 'Nodes', {kind: 'source'}),
      verdict.didNotLookParts(workload, 'Nodes', {kind: 'no-run'}),
      verdict.didNotLookParts(workload, 'Nodes', {kind: 'run', reads: ['Services', 'Namespaces']}),
      verdict.didNotLookParts(workload, 'Nodes', {kind: 'run', reads: []}),
    ],
    notInLookupParts: [
      verdict.notInLookupParts(workload, {collection: 'ServiceInfos', filter: 'key shop/other'}, service),
    ],
    otherInputParts: [verdict.otherInputParts(workload, pod, {collection: 'Pods', key: 'shop/other'})],
    notInIndexParts: [
      verdict.notInIndexParts({
        row,
        count: 3,
        expected: pod,
        member: workload,
        actualRow: {...row, key: 'n2'},
      }),
      verdict.notInIndexParts({row, count: 1, expected: workload}),
      verdict.notInIndexParts({row, count: 3, expected: pod, emptyParent: 'Workloads'}),
    ],
    lookedElsewhereParts: [
      verdict.lookedElsewhereParts({lookup: byPod, expected: service, failing: selectorMiss, until: []}),
      verdict.lookedElsewhereParts({
        lookup: byService,
        expected: pod,
        failing: labelMiss,
        until: verdict.matchedUntilParts(written, {id: '38.2', outcome: 'changed'}),
      }),
      verdict.lookedElsewhereParts({
        lookup: byService,
        expected: pod,
        failing: labelMiss,
        deleted: 40,
        until: [],
      }),
    ],
    matchedUntilParts: [
      verdict.matchedUntilParts(written, {id: '38.2', outcome: 'changed'}),
      verdict.matchedUntilParts(written, undefined),
    ],
    filterChangedParts: [
      verdict.filterChangedParts({collection: 'Pods', filter: 'labels app=cart'}, 38, written),
      verdict.filterChangedParts({collection: 'Pods', filter: 'labels app=cart'}, 38, undefined),
    ],
    equalResultWords: (['equal', 'empty', 'still-empty'] as const).map(verdict.equalResultWords),
    equalParts: [
      verdict.equalParts({
        node: workload,
        expected: namespace,
        asked: undefined,
        sequence: 38,
        result: 'equal',
        changed: ['metadata.labels.team'],
        isUnread: true,
      }),
      verdict.equalParts({
        node: workload,
        expected: namespace,
        asked: backend,
        sequence: undefined,
        result: 'still-empty',
        changed: ['metadata.labels.team'],
        isUnread: false,
      }),
    ],
    reactedToChangeParts: [
      verdict.reactedToChangeParts(workload, service, {
        sequence: 38,
        isDelete: false,
        run: {id: '38.2', outcome: 'changed'},
      }),
      verdict.reactedToChangeParts(backend, service, {sequence: 38, isDelete: true, run: undefined}),
    ],
    usedSinceParts: [verdict.usedSinceParts(workload, service, {id: '12.4', outcome: 'added'})],
    noChangeParts: [
      verdict.noChangeParts(pod, {kind: 'never'}),
      verdict.noChangeParts(pod, {kind: 'unchanged'}),
      verdict.noChangeParts(pod, {kind: 'changed', sequence: 12, reader: workload}),
      verdict.noChangeParts(pod, {kind: 'deleted', sequence: 12, reader: workload}),
    ],
  },
  'empty-sentence': {
    emptyWaitingParts: [
      empty.emptyWaitingParts(workload, 'Namespaces'),
      empty.emptyWaitingParts(workload, undefined),
    ],
    emptyFailedParts: [
      empty.emptyFailedParts(workload, 'TypeError: x'),
      empty.emptyFailedParts(workload, undefined),
    ],
    emptyDiscardedParts: [empty.emptyDiscardedParts(workload)],
    emptyWithoutFetchParts: [
      empty.emptyWithoutFetchParts(workload, 12, true, guess),
      empty.emptyWithoutFetchParts(workload, 12, false, []),
    ],
    emptyLookupParts: [
      empty.emptyLookupParts(workload, byPod, {
        nearest: {...service, failing: selectorMiss},
        others: 1,
        guess: [],
      }),
      empty.emptyLookupParts(workload, byPod, {nearest: undefined, others: 0, guess}),
    ],
    emptyWithFetchesParts: [empty.emptyWithFetchesParts(workload, 12, guess)],
    emptyNeverRanParts: [empty.emptyNeverRanParts(workload)],
    likelyFieldParts: [guess, empty.likelyFieldParts({path: 'services', value: [], others: [], compared: 3})],
    readPathsParts: [
      empty.readPathsParts([
        {...pod, paths: ['status.phase', 'spec.nodeName']},
        {...service, paths: ['spec.ports']},
      ]),
    ],
  },
  'origin-sentence': {
    writeParts: [
      origin.writeParts(write, false),
      origin.writeParts({...write, old: undefined}, false),
      origin.writeParts({...write, new: undefined}, false),
      origin.writeParts(anonymous, false),
      origin.writeParts({...anonymous, old: undefined}, false),
      origin.writeParts({...anonymous, new: undefined}, false),
      origin.writeParts({...write, event: 'add'}, true),
      origin.writeParts({...write, event: 'add'}, false),
      origin.writeParts({...anonymous, event: 'delete'}, false),
      origin.writeParts({...write, replaced: true}, false),
      origin.writeParts({...write, path: '', deleting: true}, false),
      origin.writeParts({...write, path: ''}, false),
    ],
    directWriteParts: [
      origin.directWriteParts({
        ...write,
        path: 'status.containerStatuses[0].state.waiting.reason',
        old: undefined,
        new: 'CrashLoopBackOff',
        manager: 'kubelet',
      }),
      origin.directWriteParts({...write, path: 'metadata.labels.app'}),
      origin.directWriteParts({...anonymous, path: 'metadata.labels.app', new: undefined}),
    ],
    stateParts: [
      origin.stateParts(workload, false, undefined),
      origin.stateParts(workload, true, {}),
      origin.stateParts({...workload, field: 'services'}, true, []),
      origin.stateParts({...workload, field: 'waypoint'}, true, undefined),
    ],
    originParts: [
      origin.originParts({
        conclusion: missed,
        pieces: [step.lostRowsParts({...workload, collection: 'WorkloadServices'}), rowLost],
        end: origin.writeParts(write, false),
        isWrite: true,
      }),
      origin.originParts({
        conclusion: undefined,
        pieces: [rowLost],
        end: origin.writeParts(write, false),
        isWrite: true,
      }),
      origin.originParts({
        conclusion: missed,
        pieces: [step.emptyValueParts({...workload, field: 'services'})],
        end: origin.olderParts(120),
        isWrite: false,
      }),
      origin.originParts({
        conclusion: undefined,
        pieces: [step.waitingStepParts(workload, 'Namespaces', forbidden)],
        end: origin.noWriteParts,
        isWrite: false,
      }),
    ],
    olderParts: [origin.olderParts(120)],
    noWriteParts: [origin.noWriteParts],
    unknownNameParts: [origin.unknownNameParts(workload)],
    wakeUpParts: [
      origin.wakeUpParts({kind: 'formula'}, 12),
      origin.wakeUpParts({kind: 'trigger', trigger: 'Recompute'}, 12),
      origin.wakeUpParts({kind: 'synced', collection: 'Pods'}, 12),
    ],
  },
  'origin-step-sentence': {
    rowChangeParts: [rowLost],
    lostRowsParts: [step.lostRowsParts(workload)],
    emptyValueParts: [step.emptyValueParts(workload), step.emptyValueParts({...workload, field: 'services'})],
    readValuesParts: [step.readValuesParts([{path: 'status.phase', value: 'Pending'}])],
    partStepParts: [
      step.partStepParts(rowLost, relabelled, false),
      step.partStepParts(rowLost, relabelled, true),
    ],
    causedStepParts: [
      step.causedStepParts(rowLost, relabelled, {alsoNeeded: 0, either: 0}),
      step.causedStepParts(rowLost, relabelled, {alsoNeeded: 1, either: 0}),
      step.causedStepParts(rowLost, relabelled, {alsoNeeded: 0, either: 2}),
      step.causedStepParts(rowLost, relabelled, {
        alsoNeeded: 0,
        either: 0,
        unknown: {causes: 3, note: 'its batch is no longer kept'},
      }),
    ],
    startedStepParts: (['synced', 'formula', 'trigger', 'other'] as const).map(kind =>
      step.startedStepParts(rowLost, {kind, collection: 'Pods'}, pod),
    ),
    emptyStepParts: [
      step.emptyStepParts(
        step.emptyValueParts(workload),
        relabelled,
        step.readValuesParts([{path: 'status.phase', value: 'Pending'}]),
      ),
    ],
    waitingStepParts: [
      step.waitingStepParts(workload, 'Namespaces', forbidden),
      step.waitingStepParts(workload, 'Pods', forbidden),
    ],
    failedStepParts: [
      step.failedStepParts(workload, {error: 'TypeError: x', hasRows: true, after: pod}),
      step.failedStepParts(workload, {error: 'TypeError: x', hasRows: false, after: undefined}),
    ],
    failedParts: [step.failedParts(workload, 'TypeError: x')],
    absentStepParts: [step.absentStepParts(workload, pod, true), step.absentStepParts(workload, pod, false)],
    absentParts: [step.absentParts(workload)],
  },
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
    gapWords: (['watch', 'engine', 'program'] as const).map(kind =>
      syncCheck.gapWords(kind, 3200, 'what happened'),
    ),
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
  'incident-sentence': {
    unreadableSourcesTitle: [incident.unreadableSourcesTitle(3)],
    unreadableSourcesSentence: [
      incident.unreadableSourcesSentence('Pods: connection refused', ['Services', 'Nodes']),
    ],
  },
  'fix-sentence': {
    overwrittenFixWords: [
      fix.overwrittenFixWords(service, {tool: 'Helm', source: 'release shop in namespace shop'}),
      fix.overwrittenFixWords(service, {tool: 'Flux', source: undefined}),
    ],
  },
  'ruled-out-words': {
    ruledOutWords: [
      ruledOutWords.exists,
      ruledOutWords.inputExists,
      ruledOutWords.goneSince(44),
      ruledOutWords.synced,
      ruledOutWords.notSynced,
      ruledOutWords.waitsFor('Namespaces'),
      ruledOutWords.outcome('changed'),
      ruledOutWords.noRun,
      ruledOutWords.ended('38.2', 'failed'),
      ruledOutWords.endedBefore('discarded', 38),
      ruledOutWords.reads(workload, 'Services', 'a fetch'),
      ruledOutWords.noReader('Nodes'),
      ruledOutWords.didNotLook,
      ruledOutWords.filterMatches,
      ruledOutWords.isInput,
      ruledOutWords.never(pod),
      ruledOutWords.foundUntilDeleted,
      ruledOutWords.derivedMiss('ServiceInfos', 'key shop/other'),
      ruledOutWords.otherInput,
      ruledOutWords.noFilter('labels.app'),
      ruledOutWords.noFilter(undefined),
      ruledOutWords.equal(workload, '38.2', 'its result did not change'),
      ruledOutWords.equal(workload, undefined, 'its result did not change'),
      ruledOutWords.noChange,
      ruledOutWords.unknownEffects,
      ruledOutWords.cameThrough(38),
      ruledOutWords.nothingRan(38),
      ruledOutWords.usedBy('38.2'),
      ruledOutWords.changedIn(38),
      ruledOutWords.olderRun('12.4'),
      ruledOutWords.lastChange(38),
      ruledOutWords.fetches(1),
      ruledOutWords.noFetch,
      ruledOutWords.missed(1, 3),
      ruledOutWords.allFound,
      ruledOutWords.ran('38.2', 'empty'),
      ruledOutWords.notAsked('failed'),
    ],
  },
  'unknown-sentence': {
    unknownReadParts: [
      unknown.unknownReadParts(pod, service, true),
      unknown.unknownReadParts(pod, service, false),
    ],
    unknownEmptyParts: [unknown.unknownEmptyParts(pod)],
  },
};

/** Modules whose exported templates must all have samples. */
export const templateModules: Record<string, object> = {
  'change-sentence': change,
  'why-sentence': why,
  'effect-sentence': effect,
  'lookup-sentence': lookup,
  'verdict-sentence': verdict,
  'empty-sentence': empty,
  'origin-sentence': origin,
  'origin-step-sentence': step,
  'cluster-check-sentence': clusterCheck,
  'attached-check-sentence': attachedCheck,
  'controller-check-sentence': controllerCheck,
  'work-check-sentence': workCheck,
  'sync-check-sentence': syncCheck,
  'engine-check-sentence': engineCheck,
  'incident-sentence': incident,
  'fix-sentence': fix,
  'unknown-sentence': unknown,
};
