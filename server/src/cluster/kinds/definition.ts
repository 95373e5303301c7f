// CustomResourceDefinitions: their own rules. What they define is served by custom.ts.
import type {Rules} from './rules.ts';

export const definitionRules: Rules = {};
