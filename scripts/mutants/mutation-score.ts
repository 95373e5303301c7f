// Counts killed and surviving mutants, in all and by folder of krt.
import type {Mutant} from './mutate.ts';

interface Count {
  killed: number;
  lives: number;
  equivalent: number;
}

export class MutationScore {
  readonly #rooms = new Map<string, Count>();
  readonly #survivors: Mutant[] = [];
  tried = 0;
  /** Killed mutants that never returned. */
  slow = 0;

  add(mutant: Mutant, fate: keyof Count): void {
    const room = mutant.file.split('/').at(-2)!;
    const count = this.#rooms.get(room) ?? {killed: 0, lives: 0, equivalent: 0};
    this.#rooms.set(room, count);
    count[fate]++;
    this.tried++;
    if (fate === 'lives') this.#survivors.push(mutant);
  }

  get total(): Count {
    const total: Count = {killed: 0, lives: 0, equivalent: 0};
    for (const count of this.#rooms.values()) {
      for (const fate of ['killed', 'lives', 'equivalent'] as const) total[fate] += count[fate];
    }
    return total;
  }

  print(drawn: number): void {
    for (const room of [...this.#rooms.keys()].sort()) console.log(line(room, this.#rooms.get(room)!));
    console.log(line('all', this.total));
    console.log(`${this.tried} of ${drawn} tried, ${this.slow} killed by the clock`);
  }

  printSurvivors(): void {
    for (const mutant of this.#survivors.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)) {
      console.log(`lives: ${mutantText(mutant)}`);
    }
  }
}

export function mutantText({file, line, change, text}: Mutant): string {
  return `${file.replace('server/src/krt/', '')}:${line}: ${change}    ${text}`;
}

function line(name: string, {killed, lives, equivalent}: Count): string {
  const counted = killed + lives;
  const share = counted === 0 ? '–' : ((killed / counted) * 100).toFixed(1);
  return `${name.padEnd(8)} ${share.padStart(5)} %: ${killed} of ${counted} killed, ${equivalent} equivalent`;
}
