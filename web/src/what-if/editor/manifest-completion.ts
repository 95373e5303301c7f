// Completion in the manifest editor: fields and values of the kind's schema, and the kinds that can be tried.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete';
import type {Extension} from '@codemirror/state';
import type {EditorView} from '@codemirror/view';
import {fieldOffers, valueOffers} from './manifest-fields.ts';
import {type ManifestPlace, placeAt} from './manifest-place.ts';
import type {ManifestKinds} from './use-kind-fields.ts';

export function manifestCompletion(kinds: () => ManifestKinds): Extension {
  return autocompletion({
    override: [context => complete(context, kinds())],
    icons: false,
    interactionDelay: 0,
    maxRenderedOptions: 60,
  });
}

function complete(context: CompletionContext, kinds: ManifestKinds): CompletionResult | null {
  const place = placeAt(context.state.doc.toString(), context.pos);
  if (place === undefined || (place.word === '' && !context.explicit)) return null;
  const options = place.isValue ? valueOptions(place, kinds) : fieldOptions(place, kinds);
  return options.length === 0 ? null : {from: place.from, options, validFor: /^[\w./-]*$/};
}

function fieldOptions(place: ManifestPlace, {fieldsOf}: ManifestKinds): Completion[] {
  const {path, siblings, column, apiVersion = '', kind = ''} = place;
  const fields = fieldsOf(apiVersion, kind);
  const atRoot = path.length === 0;
  if (fields === undefined)
    return atRoot
      ? ['apiVersion', 'kind', 'metadata', 'spec']
          .filter(name => !siblings.has(name))
          .map(label => ({label, apply: `${label}: `}))
      : [];
  return fieldOffers(fields, path, siblings, column).map(({label, detail, about, text}) => ({
    label,
    detail,
    ...(about === undefined ? {} : {info: about}),
    apply: (view: EditorView, _completion: Completion, from: number, to: number) => {
      view.dispatch({changes: {from, to, insert: text}, selection: {anchor: from + text.length}});
      if (!text.endsWith(': ')) setTimeout(() => startCompletion(view));
    },
  }));
}

function valueOptions(
  {path, apiVersion = '', kind = ''}: ManifestPlace,
  {kinds, fieldsOf}: ManifestKinds,
): Completion[] {
  if (path.length === 1 && path[0] === 'kind')
    return kinds
      .filter(one => apiVersion === '' || one.apiVersion === apiVersion)
      .map(one => ({label: one.kind, detail: one.apiVersion}));
  if (path.length === 1 && path[0] === 'apiVersion')
    return [...new Set(kinds.map(one => one.apiVersion))].map(label => ({label}));
  const fields = fieldsOf(apiVersion, kind);
  return fields === undefined ? [] : valueOffers(fields, path).map(label => ({label}));
}
