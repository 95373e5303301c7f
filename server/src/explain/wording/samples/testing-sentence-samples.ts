// Every sentence template with sample data, for docs/sentences.md. A template without a sample fails the test.
import type {SentencePart} from '@krtscope/shared/why.ts';
import * as attachedCheck from '../attached-check-sentence.ts';
import * as change from '../change-sentence.ts';
import * as clusterCheck from '../cluster-check-sentence.ts';
import * as controllerCheck from '../controller-check-sentence.ts';
import * as effect from '../effect-sentence.ts';
import * as empty from '../empty-sentence.ts';
import * as engineCheck from '../engine-check-sentence.ts';
import * as fix from '../fix-sentence.ts';
import * as incident from '../incident-sentence.ts';
import * as lookup from '../lookup-sentence.ts';
import * as origin from '../origin-sentence.ts';
import * as step from '../origin-step-sentence.ts';
import * as programWork from '../program-work-sentence.ts';
import * as syncCheck from '../sync-check-sentence.ts';
import * as unknown from '../unknown-sentence.ts';
import * as verdict from '../verdict-sentence.ts';
import * as why from '../why-sentence.ts';
import * as workCheck from '../work-check-sentence.ts';
import {checkSamples} from './testing-check-samples.ts';
import {originSamples} from './testing-origin-samples.ts';
import {whyNotSamples} from './testing-why-not-samples.ts';
import {whySamples} from './testing-why-samples.ts';

type Rendered = string | readonly SentencePart[] | clusterCheck.CheckWords | undefined;
export type Samples = Record<string, readonly Rendered[]>;

export const samples: Record<string, Samples> = {
  ...whySamples,
  ...whyNotSamples,
  ...originSamples,
  ...checkSamples,
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
  'program-work-sentence': programWork,
  'controller-check-sentence': controllerCheck,
  'work-check-sentence': workCheck,
  'sync-check-sentence': syncCheck,
  'engine-check-sentence': engineCheck,
  'incident-sentence': incident,
  'fix-sentence': fix,
  'unknown-sentence': unknown,
};
