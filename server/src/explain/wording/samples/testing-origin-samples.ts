// Samples of the sentences about origins, incidents and their fixes.
import * as fix from '../fix-sentence.ts';
import * as incident from '../incident-sentence.ts';
import * as origin from '../origin-sentence.ts';
import * as step from '../origin-step-sentence.ts';
import {
  anonymous,
  forbidden,
  missed,
  pod,
  relabelled,
  rowLost,
  service,
  workload,
  write,
} from './testing-sentence-objects.ts';
import type {Samples} from './testing-sentence-samples.ts';

export const originSamples: Record<string, Samples> = {
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
};
