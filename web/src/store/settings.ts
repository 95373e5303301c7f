// Settings saved in this browser: theme, single-letter keys, pulses, tour. stream/access-token.ts and
// lab/draft also use localStorage.
import {create} from 'zustand';

export type Theme = 'system' | 'dark' | 'light' | 'hc';

export interface Settings {
  theme: Theme;
  /** Single-letter shortcuts; off for users of dictation or other assistive input. */
  letters: boolean;
  pulses: boolean;
  timeline: boolean;
  /** The tour was finished or dismissed. */
  toured: boolean;
}

export const defaultSettings: Settings = {
  theme: 'system',
  letters: true,
  pulses: true,
  timeline: true,
  toured: false,
};

export function readSettings(text: string | null): Settings {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    if (typeof stored !== 'object' || stored === null) return defaultSettings;
    const next = {...defaultSettings};
    for (const name of Object.keys(defaultSettings) as (keyof Settings)[]) {
      const value = (stored as Record<string, unknown>)[name];
      if (typeof value === typeof defaultSettings[name]) Object.assign(next, {[name]: value});
    }
    return next;
  } catch {
    return defaultSettings;
  }
}

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

export const useSettings = create<Settings>()(() => readSettings(storage()?.getItem('krtscope') ?? null));

export function changeSettings(change: Partial<Settings>): void {
  useSettings.setState(change);
  storage()?.setItem('krtscope', JSON.stringify(useSettings.getState()));
}

/** The theme on screen: the system's, unless the user chose one. */
export function resolveTheme(theme: Theme, asks: (query: string) => boolean): Exclude<Theme, 'system'> {
  if (theme !== 'system') return theme;
  if (asks('(prefers-contrast: more)')) return 'hc';
  return asks('(prefers-color-scheme: light)') ? 'light' : 'dark';
}

/** Keeps `data-theme` in step with the setting and the system; returns a function that stops it. */
export function followTheme(): () => void {
  const queries = ['(prefers-contrast: more)', '(prefers-color-scheme: light)'].map(query =>
    window.matchMedia(query),
  );
  const draw = () => {
    document.documentElement.dataset.theme = resolveTheme(
      useSettings.getState().theme,
      query => window.matchMedia(query).matches,
    );
  };
  draw();
  const stop = useSettings.subscribe(draw);
  for (const query of queries) query.addEventListener('change', draw);
  return () => {
    stop();
    for (const query of queries) query.removeEventListener('change', draw);
  };
}
