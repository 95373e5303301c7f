// All written cases of the black-box suite, by what they are about.

import {badInput} from './bad-input.ts';
import {defining} from './defining.ts';
import {deleting} from './deleting.ts';
import {reading} from './reading.ts';
import type {Case} from './transcript.ts';
import {writing} from './writing.ts';

export const cases: Record<string, Case[]> = {...badInput, ...writing, ...deleting, ...reading, ...defining};
