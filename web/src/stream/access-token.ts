// The access token of this page. It comes from the address once, or from the sign-in form, and stays in the
// storage of this origin. Other ports of the host are other origins and never get it.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {create} from 'zustand';

const KEY = 'krtscope-token';

/** How to sign in, as the server wrote it into the page: with its own token, one of the cluster, or by a proxy. */
export const signInKind: 'token' | 'kubernetes' | 'proxy' = readSignInKind();

interface AccessToken {
  token: string | null;
  /** Why the server refused this token or this user. */
  refusal: ApiFailure | null;
  /** The sign-in form covers the page. An open page keeps its data on screen until the user asks for the form. */
  asking: boolean;
}

export const useAccessToken = create<AccessToken>()(() => {
  // A proxy adds the user to each request, so there is nothing to type in.
  const token = signInKind === 'proxy' ? '' : (takeFromAddress() ?? read());
  return {token, refusal: null, asking: token === null};
});

/** Adds the token to a request's headers, unless they name another one. */
export function authorize(headers: Record<string, string> = {}): Record<string, string> {
  const {token} = useAccessToken.getState();
  return token === null || token === '' ? headers : {authorization: bearer(token), ...headers};
}

export function signIn(token: string): void {
  store(token);
  useAccessToken.setState({token, refusal: null, asking: false});
}

/** Forgets the token in every tab of this origin. */
export function signOut(): void {
  store(null);
  useAccessToken.setState({token: null, refusal: null, asking: true});
}

/** Shows the sign-in form. */
export function askForToken(): void {
  useAccessToken.setState({asking: true});
}

/** Records why the server refused the request. `empty` says that the page has no data to keep on screen. */
export function markRefused(sent: string | null, empty: boolean, refusal: ApiFailure): void {
  // The user may have signed in again while the answer was on its way.
  if (sent !== useAccessToken.getState().token) return;
  useAccessToken.setState(state => ({
    refusal: sent === null ? null : refusal,
    asking: state.asking || empty,
  }));
}

/** Follows sign-in and sign-out in other tabs; returns a function that stops it. */
export function followOtherTabs(): () => void {
  const follow = (event: StorageEvent) => {
    if (event.key !== KEY && event.key !== null) return;
    const token = read();
    useAccessToken.setState({token, refusal: null, asking: token === null});
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

function readSignInKind(): typeof signInKind {
  if (typeof document === 'undefined') return 'token';
  const content = document.querySelector('meta[name=krtscope-auth]')?.getAttribute('content');
  return content === 'kubernetes' || content === 'proxy' ? content : 'token';
}

/** Removes the token from the address, so that it stays out of the history and of copied links. */
function takeFromAddress(): string | null {
  if (typeof window === 'undefined') return null;
  const address = new URL(window.location.href);
  const token = address.searchParams.get('token');
  if (token === null) return null;
  address.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', address.href);
  if (token === '') return null;
  store(token);
  return token;
}

function read(): string | null {
  return storage()?.getItem(KEY) ?? null;
}

function store(token: string | null): void {
  try {
    if (token === null) storage()?.removeItem(KEY);
    else storage()?.setItem(KEY, token);
  } catch {
    // Storage is full or forbidden: the token lasts as long as the page.
  }
}

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Headers carry bytes, so characters outside ASCII go as UTF-8. */
export function bearer(token: string): string {
  return `Bearer ${String.fromCharCode(...new TextEncoder().encode(token))}`;
}
