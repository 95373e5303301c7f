// All written cases of the black-box suite, by what they are about.

import {badRequests} from './bad-requests.ts';
import {badValues} from './bad-values.ts';
import {creatingCases} from './creating.ts';
import {defining} from './defining.ts';
import {deleting} from './deleting.ts';
import {patchingCases} from './patching.ts';
import {reading} from './reading.ts';
import type {Case} from './transcript.ts';

export const cases: Record<string, Case[]> = {
  ...badRequests,
  ...badValues,
  ...creatingCases,
  ...patchingCases,
  ...deleting,
  ...reading,
  ...defining,
};
