// Content negotiation: chooses the response format that a client accepts.
import {StatusError} from './status-error.ts';

export interface ResponseForm {
  /** The format of the response. */
  media: 'json' | 'yaml';
  /** '' for the object itself, else Table, PartialObjectMetadata or PartialObjectMetadataList. */
  as: string;
  /** The requested version of meta.k8s.io. */
  version: string;
}

const FORMS = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];
const AVAILABLE = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

interface AcceptClause {
  type: string;
  parameters: Map<string, string>;
  quality: number;
}

function acceptClauses(accept: string): AcceptClause[] {
  const parsed = accept.split(',').map(text => {
    const [type = '', ...rest] = text.split(';').map(part => part.trim());
    const parameters = new Map(
      rest.map(part => [part.split('=')[0]!.trim(), part.split('=').slice(1).join('=').trim()]),
    );
    return {type: type.toLowerCase(), parameters, quality: Number(parameters.get('q') ?? 1)};
  });
  return parsed.filter(c => c.type !== '').sort((a, b) => b.quality - a.quality);
}

/** The first accepted format that is available. Throws 406 if there is none. */
export function negotiate(accept: string): ResponseForm {
  if (accept.trim() === '') return {media: 'json', as: '', version: ''};
  for (const {type, parameters} of acceptClauses(accept)) {
    const media = mediaOf(type);
    if (!media) continue;
    const as = parameters.get('as') ?? '';
    if (as === '') return {media, as: '', version: ''};
    const version = parameters.get('v') ?? '';
    const isSupported =
      FORMS.includes(as) && parameters.get('g') === 'meta.k8s.io' && ['v1', 'v1beta1'].includes(version);
    if (isSupported) return {media, as, version};
  }
  throw new StatusError(
    406,
    'NotAcceptable',
    `406: Not Acceptable\n\nAvailable representations: ${AVAILABLE.join(', ')}`,
    {},
  );
}

function mediaOf(type: string): ResponseForm['media'] | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json';
  if (type === 'application/yaml') return 'yaml';
  return undefined;
}
