// Simple queues with arrays, as a reference for tests of the fast queues.

export interface ModelQueue {
  add(key: string, wait: number, priority: number): void;
  take(): string | undefined;
  done(key: string): void;
  advance(ms: number): void;
  readonly ready: string[];
  readonly delayed: string[];
}

abstract class Model {
  now = 0;
  readonly inFlight = new Set<string>();

  abstract due(): void;
  abstract nextDue(): number;

  advance(ms: number): void {
    const end = this.now + ms;
    for (let next = this.nextDue(); next <= end; next = this.nextDue()) {
      this.now = Math.max(this.now, next);
      this.due();
    }
    this.now = end;
  }
}

interface Row {
  key: string;
  priority: number;
  at: number | undefined;
  order: number;
  set: number;
}

export class PriorityModel extends Model implements ModelQueue {
  #rows: Row[] = [];
  #order = 0;

  add(key: string, wait: number, priority: number): void {
    const at = wait > 0 ? this.now + wait : undefined;
    const row = this.#rows.find(one => one.key === key);
    if (!row) {
      this.#rows.push({key, priority, at, order: this.#order++, set: this.#order++});
      return;
    }
    if (row.at === undefined) {
      if (priority > row.priority) Object.assign(row, {priority, order: this.#order++});
      return;
    }
    row.priority = Math.max(row.priority, priority);
    if (at === undefined) Object.assign(row, {at, order: this.#order++});
    else if (at < row.at) Object.assign(row, {at, set: this.#order++});
  }

  get #sorted(): Row[] {
    return this.#rows
      .filter(row => row.at === undefined)
      .sort((a, b) => b.priority - a.priority || a.order - b.order);
  }

  get ready(): string[] {
    return this.#sorted.filter(row => !this.inFlight.has(row.key)).map(row => row.key);
  }

  get delayed(): string[] {
    return this.#waiting().map(row => row.key);
  }

  take(): string | undefined {
    const [key] = this.ready;
    if (key === undefined) return undefined;
    this.#rows = this.#rows.filter(row => row.key !== key);
    this.inFlight.add(key);
    return key;
  }

  done(key: string): void {
    this.inFlight.delete(key);
  }

  nextDue(): number {
    return this.#waiting()[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  due(): void {
    const row = this.#waiting()[0];
    if (row) Object.assign(row, {at: undefined, order: this.#order++});
  }

  #waiting(): Row[] {
    return this.#rows.filter(row => row.at !== undefined).sort((a, b) => a.at! - b.at! || a.set - b.set);
  }
}

export class PlainModel extends Model implements ModelQueue {
  ready: string[] = [];
  #dirty = new Set<string>();
  #delays: {key: string; at: number; set: number}[] = [];
  #order = 0;

  add(key: string, wait: number): void {
    if (wait <= 0) {
      this.#now(key);
      return;
    }
    const at = this.now + wait;
    const before = this.#delays.find(one => one.key === key);
    if (before && before.at <= at) return;
    this.#delays = this.#delays.filter(one => one.key !== key);
    this.#delays.push({key, at, set: this.#order++});
    this.#delays.sort((a, b) => a.at - b.at || a.set - b.set);
  }

  get delayed(): string[] {
    return this.#delays.map(one => one.key);
  }

  take(): string | undefined {
    const key = this.ready.shift();
    if (key === undefined) return undefined;
    this.#dirty.delete(key);
    this.inFlight.add(key);
    return key;
  }

  done(key: string): void {
    this.inFlight.delete(key);
    if (this.#dirty.has(key)) this.ready.push(key);
  }

  nextDue(): number {
    return this.#delays[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  due(): void {
    const first = this.#delays.shift();
    if (first) this.#now(first.key);
  }

  #now(key: string): void {
    if (this.#dirty.has(key)) return;
    this.#dirty.add(key);
    if (!this.inFlight.has(key)) this.ready.push(key);
  }
}
