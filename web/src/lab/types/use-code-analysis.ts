// TypeScript's last analysis of the draft, and the facts that the Lab shows from it.
import {useCallback, useMemo, useState} from 'react';
import type {FetchSite, FormulaAnalysis} from './protocol.ts';

export interface CodeAnalysis {
  /** From the last text that was analysed, so that they stay while the reader types. */
  fetches: readonly FetchSite[];
  /** The names of the fetched collections, each once. */
  fetched: readonly string[];
  /** Of the current text only. */
  errorCount: number;
  /** Of the current text only. */
  reads: readonly string[];
  onAnalysis: (analysis: FormulaAnalysis, code: string) => void;
}

const noFetches: readonly FetchSite[] = [];

export function useCodeAnalysis(code: string): CodeAnalysis {
  const [latest, setLatest] = useState<{analysis: FormulaAnalysis; code: string} | null>(null);
  const fetches = latest?.analysis.fetches ?? noFetches;
  const fetched = useMemo(
    () => [...new Set(fetches.map(site => site.collection))].filter(Boolean),
    [fetches],
  );
  const current = latest?.code === code ? latest.analysis : undefined;
  return {
    fetches,
    fetched,
    errorCount: current?.diagnostics.filter(diagnostic => diagnostic.severity === 'error').length ?? 0,
    reads: current?.reads ?? [],
    onAnalysis: useCallback((analysis: FormulaAnalysis, of: string) => setLatest({analysis, code: of}), []),
  };
}
