// The table of budgets: measured, allowed, held or not.

export interface Budget {
  name: string;
  measured: string;
  budget: string;
  holds: boolean;
}

export function formatBudgets(rows: Budget[]): string {
  const all = [{name: 'what', measured: 'measured', budget: 'budget', holds: null}, ...rows];
  const wide = (pick: (row: {name: string; measured: string; budget: string}) => string) =>
    Math.max(...all.map(row => pick(row).length));
  const [a, b, c] = [wide(row => row.name), wide(row => row.measured), wide(row => row.budget)];
  return all
    .map(row => {
      const verdict = row.holds === null ? '' : row.holds ? 'holds' : 'OVER';
      return `${row.name.padEnd(a)}  ${row.measured.padEnd(b)}  ${row.budget.padEnd(c)}  ${verdict}`.trimEnd();
    })
    .join('\n');
}
