// Parses the URL of every view and writes it back. app.ts owns the browser's history.

export const views = [
  'overview',
  'sheet',
  'graph',
  'origin',
  'why',
  'why-not',
  'what-if',
  'lab',
  'controllers',
] as const;
export type PageView = (typeof views)[number];

/** The views that answer a question about one item; these show their own evidence. */
export function isExplanationView(view: PageView): boolean {
  return view === 'origin' || view === 'why' || view === 'why-not';
}

/** The views that show the selected item among others. Elsewhere the Inspector would describe something out of sight. */
export function hasInspector(view: PageView): boolean {
  return view === 'sheet' || view === 'graph';
}

/** One selection, one moment, one view; `params` are the view's own parameters (filter, columns, hops…). */
export interface PageRoute {
  page: 'connect' | 'session';
  /** Null until the server names the session it started with. */
  session: string | null;
  view: PageView;
  collection: string | null;
  key: string | null;
  run: string | null;
  /** A sequence; null means live. */
  moment: number | null;
  namespace: string | null;
  /** The recording of a copied link, to compare with the open one. */
  recording: string | null;
  /** Whether the Inspector is open; null leaves it to the view. */
  inspector: boolean | null;
  /** Pinned items as written in the URL; null without pins. */
  pins: string | null;
  params: Record<string, string>;
  /** A view name that does not exist. The page reports it instead of opening another view. */
  unknown: string | null;
}

export const emptyRoute: PageRoute = {
  page: 'session',
  session: null,
  view: 'overview',
  collection: null,
  key: null,
  run: null,
  moment: null,
  namespace: null,
  recording: null,
  inspector: null,
  pins: null,
  params: {},
  unknown: null,
};

const reserved = new Set(['t', 'run', 'ns', 'r', 'i', 'sel', 'focus', 'pin', 'token']);

function decode(segment: string | undefined): string | null {
  if (!segment) return null;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function parseRoute(location: {pathname: string; search: string}): PageRoute {
  const segments = location.pathname.split('/').filter(Boolean);
  const search = new URLSearchParams(location.search);
  const params: Record<string, string> = {};
  for (const [name, value] of search) if (!reserved.has(name)) params[name] = value;
  const moment = search.get('t');
  const base: PageRoute = {
    ...emptyRoute,
    run: search.get('run'),
    moment: moment !== null && /^\d+$/.test(moment) ? Number(moment) : null,
    namespace: search.get('ns'),
    recording: search.get('r'),
    inspector: search.has('i') ? search.get('i') !== '0' : null,
    pins: search.get('pin'),
    params,
  };
  if (segments[0] === 'connect') return {...base, page: 'connect'};
  // A URL without a session means the session of the start: `/lab` is its Lab.
  const [session, named, collection, key] =
    segments[0] === 's' ? segments.slice(1) : [undefined, ...segments];
  const view = views.find(name => name === named) ?? 'overview';
  return {
    ...base,
    session: decode(session),
    view,
    unknown: named === undefined || named === view ? null : decode(named),
    collection: decode(collection) ?? search.get('focus'),
    key: decode(key) ?? search.get('sel'),
  };
}

/** A place's path and query; never includes the token. */
export function formatRoute(place: PageRoute): string {
  if (place.page === 'connect') return '/connect';
  if (place.session === null) return '/';
  let path = `/s/${encodeURIComponent(place.session)}/${encodeURIComponent(place.unknown ?? place.view)}`;
  if (place.collection !== null) {
    path += `/${encodeURIComponent(place.collection)}`;
    if (place.key !== null) path += `/${encodeURIComponent(place.key)}`;
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(place.params)) if (value !== '') search.set(name, value);
  if (place.namespace !== null) search.set('ns', place.namespace);
  if (place.run !== null) search.set('run', place.run);
  if (place.inspector !== null) search.set('i', place.inspector ? '1' : '0');
  if (place.pins !== null) search.set('pin', place.pins);
  if (place.recording !== null) search.set('r', place.recording);
  if (place.moment !== null) search.set('t', String(place.moment));
  const query = search.toString();
  return query ? `${path}?${query}` : path;
}

/** The parameters of each view, kept so that a view reopens as it was left. */
export type ParamsByView = Partial<Record<PageView, Record<string, string>>>;

/** The sheet beside Why is the same sheet, so both share filter and order. */
const viewsWithSheet: ReadonlySet<PageView> = new Set(['sheet', 'origin', 'why', 'why-not']);
const sheetParams = ['q', 'root', 'sort', 'group', 'since'];

function sharedSheetParams(from: PageRoute, to: PageView): Record<string, string> {
  if (!viewsWithSheet.has(from.view) || !viewsWithSheet.has(to)) return {};
  return Object.fromEntries(Object.entries(from.params).filter(([name]) => sheetParams.includes(name)));
}

/** Parameters about one item; they are dropped for another item. */
const itemParams = ['field', 'input', 'step', 'hop'];

function withoutItemParams(params: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !itemParams.includes(name)));
}

export function changeRoute(
  from: PageRoute,
  change: Partial<PageRoute>,
  paramsByView: ParamsByView,
): PageRoute {
  const next: PageRoute = {...from, ...(change.view === undefined ? {} : {unknown: null}), ...change};
  if (change.view !== undefined && change.view !== from.view && change.params === undefined) {
    next.params = {...withoutItemParams(paramsByView[change.view]), ...sharedSheetParams(from, change.view)};
  }
  const otherItem = next.collection !== from.collection || next.key !== from.key;
  // A run belongs to its item: kept for another item, Why would answer about the wrong run.
  if (otherItem && change.run === undefined) next.run = null;
  if (otherItem && change.params === undefined) next.params = withoutItemParams(next.params);
  if (next.session !== from.session) {
    if (change.moment === undefined) next.moment = null;
    if (change.namespace === undefined) next.namespace = null;
    if (change.recording === undefined) next.recording = null;
    if (change.pins === undefined) next.pins = null;
  }
  return next;
}
