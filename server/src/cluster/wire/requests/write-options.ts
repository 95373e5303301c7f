// The options of a write: dryRun, fieldValidation, fieldManager, force, with the real server's errors.
import type {FieldError} from '../../kinds/kind-rules.ts';
import type {Validation} from '../body/decode-body.ts';
import type {Exchange} from '../exchange.ts';
import {forbiddenField, invalidValue, notSupported, required, tooLong} from '../responses/invalid-errors.ts';
import {invalidOptions} from './query-options.ts';

export interface WriteRequestOptions {
  dryRun: boolean;
  validation: Validation;
  manager: string;
  force: boolean;
}

export function parseWriteOptions(
  exchange: Exchange,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  apply = false,
): WriteRequestOptions {
  const {query} = exchange;
  const errors: FieldError[] = [];
  const force = query.get('force');
  const manager = query.get('fieldManager') ?? '';
  if (kind === 'PatchOptions') {
    if (!apply && force !== null)
      errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
    if (apply && manager === '') errors.push(required('fieldManager', 'is required for apply patch'));
  }
  errors.push(...managerErrors(manager), ...dryRunErrors(query.getAll('dryRun')));
  const validation = query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation)) {
    errors.push(notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalidOptions(`${kind}.meta.k8s.io`, ...errors);
  return {
    dryRun: query.getAll('dryRun').includes('All'),
    validation: (validation || 'Warn') as Validation,
    manager: exchange.manager,
    force: force === 'true' || force === '1',
  };
}

export function dryRunErrors(values: string[]): FieldError[] {
  const given = values.filter(value => value !== '');
  return given.every(value => value === 'All') ? [] : [notSupported('dryRun', given, ['All'])];
}

function managerErrors(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > 128) return [tooLong('fieldManager', 128)];
  let position = 0;
  for (const letter of manager) {
    if (!/\p{L}|\p{M}|\p{N}|\p{P}|\p{S}| /u.test(letter)) {
      const code = letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      return [invalidValue('fieldManager', manager, `invalid character U+${code} (at position ${position})`)];
    }
    position += Buffer.byteLength(letter);
  }
  return [];
}
