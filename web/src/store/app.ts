// The page's state: its place, mirrored in the URL, and its overlays (palette, sheets, toasts).
import {create} from 'zustand';
import {
  changeRoute,
  emptyRoute,
  formatRoute,
  type PageRoute,
  type ParamsByView,
  parseRoute,
} from './route.ts';

type Overlay = 'palette' | 'jump' | 'shortcuts' | 'settings' | 'tour' | 'add-source' | null;

interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'error';
}

interface AppState {
  route: PageRoute;
  paramsByView: ParamsByView;
  overlay: Overlay;
  toasts: Toast[];
  /** The moment of a link made in another recording than the open one; null once dismissed. */
  foreign: {recording: string; moment: number} | null;
}

export const useApp = create<AppState>()(() => ({
  route: typeof location === 'undefined' ? emptyRoute : parseRoute(location),
  paramsByView: {},
  overlay: null,
  toasts: [],
  foreign: null,
}));

/**
 * Moves to another place. A change of view, session or page adds to the browser's history. A change of
 * selection, moment or filter replaces the current entry, so that Back leads to the last view.
 */
export function navigate(change: Partial<PageRoute>, how?: 'push' | 'replace'): void {
  const {route, paramsByView} = useApp.getState();
  const next = changeRoute(route, change, paramsByView);
  const far = next.view !== route.view || next.session !== route.session || next.page !== route.page;
  useApp.setState({
    route: next,
    paramsByView: next.session === route.session ? {...paramsByView, [route.view]: route.params} : {},
  });
  writeAddress((how ?? (far ? 'push' : 'replace')) === 'push');
}

/**
 * Browsers drop URL changes above 200 in 10 s (some above 100 in 30 s) and then show an old URL. Each change
 * also reloads the page's icon, which delays scrubbing.
 */
const writeEvery = 200;
let written = 0;
let writing: ReturnType<typeof setTimeout> | null = null;

function writeAddress(push: boolean): void {
  if (writing !== null) clearTimeout(writing);
  writing = null;
  const wait = written + writeEvery - Date.now();
  if (!push && wait > 0) {
    writing = setTimeout(() => writeAddress(false), wait);
    return;
  }
  const address = formatRoute(useApp.getState().route);
  if (address === window.location.pathname + window.location.search) return;
  written = Date.now();
  if (push) window.history.pushState(null, '', address);
  else window.history.replaceState(null, '', address);
}

export function setParams(change: Record<string, string | null>, how: 'push' | 'replace' = 'replace'): void {
  const params = {...useApp.getState().route.params};
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') delete params[name];
    else params[name] = value;
  }
  navigate({params}, how);
}

/** Follows Back and Forward; returns a function that stops it. */
export function followHistory(): () => void {
  const read = () => {
    if (writing !== null) clearTimeout(writing);
    writing = null;
    const {route, paramsByView} = useApp.getState();
    const next = parseRoute(window.location);
    // Parameters name moments and rows of their session.
    const kept = next.session === route.session ? paramsByView : {};
    useApp.setState({route: next, paramsByView: kept, overlay: null});
  };
  // Write the URL before a reload, so that a reload during a scrub opens the moment on screen.
  const leave = () => {
    written = 0;
    if (writing !== null) writeAddress(false);
  };
  window.addEventListener('popstate', read);
  window.addEventListener('pagehide', leave);
  return () => {
    window.removeEventListener('popstate', read);
    window.removeEventListener('pagehide', leave);
  };
}

export function openOverlay(overlay: Overlay): void {
  useApp.setState({overlay});
}

let toasts = 0;
/** Shows a message for four seconds; screen readers announce it. */
export function toast(text: string, tone: Toast['tone'] = 'plain'): void {
  const id = ++toasts;
  useApp.setState(state => ({toasts: [...state.toasts.slice(-2), {id, text, tone}]}));
  setTimeout(() => useApp.setState(state => ({toasts: state.toasts.filter(one => one.id !== id)})), 4000);
}

/** The URL to share: absolute, with the recording's id, at a fixed moment. */
export function linkTo(recording: string | null, change: Partial<PageRoute> = {}): string {
  const {route, paramsByView} = useApp.getState();
  const target = {...changeRoute(route, change, paramsByView), recording: recording ?? route.recording};
  return window.location.origin + formatRoute(target);
}

/** Copies text and confirms it; false if the browser forbids copying. */
export async function copyText(text: string, confirmation = 'Copied'): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toast(confirmation);
    return true;
  } catch {
    toast('The browser does not allow copying here', 'error');
    return false;
  }
}
