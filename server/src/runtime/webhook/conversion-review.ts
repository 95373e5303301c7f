// Answers a ConversionReview: all objects converted in order, or one failure for all.

import {isRecord, type KubeObject} from '../../kube/object.ts';
import {ConversionError, type Converter} from '../resource/conversion.ts';
import {groupVersionOf} from '../scheme/kind.ts';

export interface ReviewAnswer {
  code: number;
  body: unknown;
  /** An error that is not a ConversionError, so a bug in the program. */
  panic?: unknown;
}

export function answerConversion(review: unknown, converters: readonly Converter[]): ReviewAnswer {
  const request = isRecord(review) && isRecord(review.request) ? review.request : undefined;
  if (!request) return {code: 400, body: 'a ConversionReview with a request is expected'};
  const {uid, desiredAPIVersion, objects} = request;
  const answer = (response: Record<string, unknown>) => ({
    code: 200,
    body: {apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: {uid, ...response}},
  });
  const failure = (message: string) => answer({convertedObjects: [], result: {status: 'Failure', message}});
  try {
    const wanted = String(desiredAPIVersion ?? '');
    const list = Array.isArray(objects) ? (objects as KubeObject[]) : [];
    const convertedObjects = list.map(object =>
      converterOf(object, wanted, converters).convert(object, wanted),
    );
    return answer({convertedObjects, result: {status: 'Success'}});
  } catch (error) {
    if (error instanceof ConversionError) return failure(error.message);
    return {
      ...failure(`panic: ${error instanceof Error ? error.message : String(error)} [recovered]`),
      panic: error,
    };
  }
}

function converterOf(object: KubeObject, wanted: string, converters: readonly Converter[]): Converter {
  const {group} = groupVersionOf(object?.apiVersion ?? '');
  const found = converters.find(one => one.kind === object?.kind && one.group === group);
  if (found) return found;
  throw new ConversionError(
    `${object?.kind} of ${group || 'the core group'} cannot be converted to ${wanted} here`,
  );
}
