// All written cases of the black-box suite, by topic.

import {badRequests} from './bad-requests.ts';
import {badValues} from './bad-values.ts';
import {createCases} from './create-cases.ts';
import {definitionCases} from './definition-cases.ts';
import {deleteCases} from './delete-cases.ts';
import {patchCases} from './patch-cases.ts';
import {readCases} from './read-cases.ts';
import type {Case} from './transcript.ts';

export const cases: Record<string, Case[]> = {
  ...badRequests,
  ...badValues,
  ...createCases,
  ...patchCases,
  ...deleteCases,
  ...readCases,
  ...definitionCases,
};
