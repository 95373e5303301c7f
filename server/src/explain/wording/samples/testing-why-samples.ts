// Samples of the sentences about changes, causes and effects.
import * as change from '../change-sentence.ts';
import * as effect from '../effect-sentence.ts';
import {say} from '../say.ts';
import * as why from '../why-sentence.ts';
import {
  forbidden,
  hopOf,
  kubectl,
  label,
  pod,
  relabelled,
  service,
  workload,
  written,
} from './testing-sentence-objects.ts';
import type {Samples} from './testing-sentence-samples.ts';

export const whySamples: Record<string, Samples> = {
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
    unknownRunsWords: [effect.unknownRunsWords(['Workloads'])],
    unnamedReadersWords: [effect.unnamedReadersWords('Secrets')],
    unchangedReadersWords: [effect.unchangedReadersWords(['WorkloadsByNode'])],
  },
};
