// Which rules apply to which built-in resource.

import {stringAt} from '../object/types.ts';
import type {Rules} from './rules.ts';

const RULES: Record<string, Rules> = {
  '/pods': {
    fieldLabels: {
      'spec.nodeName': o => stringAt(o, 'spec', 'nodeName'),
      'status.phase': o => stringAt(o, 'status', 'phase'),
    },
  },
};

export function builtInRules(group: string, resource: string): Rules {
  return RULES[`${group}/${resource}`] ?? {};
}
