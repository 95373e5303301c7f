// Samples of the sentences about lookups, verdicts and what was ruled out.
import * as empty from '../empty-sentence.ts';
import * as lookup from '../lookup-sentence.ts';
import {ruledOutWords} from '../ruled-out-words.ts';
import {subject} from '../say.ts';
import * as unknown from '../unknown-sentence.ts';
import * as verdict from '../verdict-sentence.ts';
import {
  backend,
  byPod,
  byService,
  constant,
  forbidden,
  guess,
  hopOf,
  inShop,
  labelMiss,
  lookupOf,
  missed,
  namespace,
  pod,
  row,
  selectorMiss,
  service,
  unsetLabel,
  workload,
  written,
} from './testing-sentence-objects.ts';
import type {Samples} from './testing-sentence-samples.ts';

export const whyNotSamples: Record<string, Samples> = {
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
      ruledOutWords.notAsked,
    ],
  },
  'unknown-sentence': {
    unknownReadParts: [
      unknown.unknownReadParts(pod, service, true),
      unknown.unknownReadParts(pod, service, false),
    ],
    unknownEmptyParts: [
      unknown.unknownEmptyParts(pod),
      unknown.unknownEmptyParts(pod, {siblings: 4, missing: ['Nodes', 'Services']}),
      unknown.unknownEmptyParts(pod, {siblings: 1, missing: ['Nodes']}),
    ],
    probableCauseParts: [
      unknown.probableCauseParts([service]),
      unknown.probableCauseParts([service, pod, service, pod, pod]),
    ],
  },
};
