// Judges answers by the harness's own knowledge: the write, its field, its writer, and whether the evidence
// of a verdict is true.
import type {Origin} from '@krtscope/shared/origin.ts';
import {verdicts} from '@krtscope/shared/vocabulary.ts';
import type {Why, WhyNot} from '@krtscope/shared/why.ts';
import {changedPaths} from '../../src/explain/evidence/diff.ts';
import {type BatchTruth, fieldView, rowView, type View, type Written} from './batch-truth.ts';
import type {TruthCluster} from './cluster.ts';
import {type Objects, rowsOf, textOf} from './expected-rows.ts';
import {families, inputView, rowsOfInput} from './inputs.ts';

export interface JudgeTally {
  questions: number;
  readonly wrong: string[];
}

interface Claim {
  readonly collection: string;
  readonly key: string;
  readonly sequence: number;
  readonly path?: string | undefined;
  readonly manager?: string | undefined;
}

export class AnswerJudge {
  readonly #cluster: TruthCluster;
  readonly tally: JudgeTally = {questions: 0, wrong: []};
  /** The batch that last changed a row. */
  readonly #last = new Map<string, BatchTruth>();
  readonly #history: BatchTruth[] = [];

  constructor(cluster: TruthCluster) {
    this.#cluster = cluster;
  }

  /** Checks answers about rows that a batch changed and about others. */
  judge(truth: BatchTruth): void {
    const {chance} = this.#cluster;
    this.#history.push(truth);
    const touched: [string, string][] = [];
    const others: [string, string][] = [];
    const names = new Set([...truth.rowsBefore.keys(), ...truth.rowsAfter.keys()]);
    for (const collection of names) {
      const [before, after] = [truth.rowsBefore.get(collection), truth.rowsAfter.get(collection)];
      for (const key of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
        if (textOf(before?.get(key)) === textOf(after?.get(key))) others.push([collection, key]);
        else {
          touched.push([collection, key]);
          this.#last.set(`${collection}\n${key}`, truth);
        }
      }
    }
    for (const [collection, key] of chance.some(touched, 4)) {
      this.#row(collection, key, truth);
      this.#field(collection, key, truth);
      this.#why(collection, key, truth);
    }
    for (const [collection, key] of chance.some(others, 3)) {
      const last = this.#last.get(`${collection}\n${key}`);
      if (last) this.#row(collection, key, last);
      else this.#untouched(collection, key, truth);
      if (last) this.#why(collection, key, last);
    }
    this.#inputs(truth);
    for (const [collection, key] of [...chance.some(touched, 2), ...chance.some(others, 2)])
      this.#whyNot(collection, key, truth);
    for (const old of this.#history.splice(0, Math.max(0, this.#history.length - 40))) old.forget();
  }

  #ask<T>(question: Parameters<TruthCluster['rig']['ask']>[0]): T {
    this.tally.questions += 1;
    return this.#cluster.rig.ask<T>(question);
  }

  #fault(what: string, truth: BatchTruth, answer: {sentence: string}): void {
    const writes = truth.writes.map(w => `${w.collection}/${w.key} by ${w.managers.join(',')}`).join('; ');
    this.tally.wrong.push(`#${truth.sequence} ${what}\n    said: ${answer.sentence}\n    written: ${writes}`);
  }

  #row(collection: string, key: string, truth: BatchTruth): void {
    const answer = this.#ask<Origin>({ask: 'origin', collection, key});
    this.#claim(`origin ${collection}/${key}`, truth, rowView(collection, key), answer.write, answer);
  }

  #field(collection: string, key: string, truth: BatchTruth): void {
    const row = (rows: BatchTruth['rowsAfter']) =>
      (rows.get(collection)?.get(key) ?? {}) as Record<string, unknown>;
    const [before, after] = [row(truth.rowsBefore), row(truth.rowsAfter)];
    if (!truth.rowsBefore.get(collection)?.has(key) || !truth.rowsAfter.get(collection)?.has(key)) return;
    for (const field of Object.keys({...before, ...after})) {
      if (textOf(before[field]) === textOf(after[field])) continue;
      const answer = this.#ask<Origin>({ask: 'origin', collection, key, field});
      const view = fieldView(collection, key, field);
      this.#claim(`origin ${collection}/${key} ${field}`, truth, view, answer.write, answer);
      return;
    }
  }

  #why(collection: string, key: string, truth: BatchTruth): void {
    const answer = this.#ask<Why>({ask: 'why', collection, key});
    const hop = answer.causes.at(-1);
    const what = `why ${collection}/${key}`;
    if (hop?.kind !== 'write') {
      this.#fault(`${what} ends at no write`, truth, answer);
      return;
    }
    const marked = hop.changes.filter(({needed}) => needed === true);
    const view = rowView(collection, key);
    this.#claim(what, truth, view, {...hop, manager: hop.writer?.manager, path: marked[0]?.path}, answer);
  }

  /** The claim must name a right write of the batch, a decisive path of it, and its writer. */
  #claim(what: string, truth: BatchTruth, view: View, claim: Claim | null, answer: {sentence: string}): void {
    if (claim === null) return this.#fault(`${what} names no write`, truth, answer);
    if (claim.sequence !== truth.sequence)
      return this.#fault(`${what} names #${claim.sequence}`, truth, answer);
    const right = truth.right(view);
    const write = right.find(one => one.collection === claim.collection && one.key === claim.key);
    if (write === undefined) {
      const wanted = right.map(one => `${one.collection}/${one.key}`).join(' or ');
      return this.#fault(`${what} blames ${claim.collection}/${claim.key}, not ${wanted}`, truth, answer);
    }
    this.#writer(what, truth, write, claim, answer);
    if (
      claim.path !== undefined &&
      claim.path !== '' &&
      isUpdate(write) &&
      !truth.isRightPath(write, claim.path, view)
    )
      return this.#fault(`${what} blames the path ${claim.path}`, truth, answer);
    this.#most(what, truth, view, {write, right, path: claim.path}, answer);
  }

  /** Of several writes and several paths that made a difference, the blamed one made no smaller one. */
  #most(
    what: string,
    truth: BatchTruth,
    view: View,
    {write, right, path}: {write: Written; right: readonly Written[]; path: string | undefined},
    answer: {sentence: string},
  ): void {
    const own = truth.weight(view, write);
    const heavier = right.find(one => truth.weight(view, one) > own);
    if (heavier) {
      const words = `${heavier.collection}/${heavier.key} (${truth.weight(view, heavier)})`;
      this.#fault(`${what} blames ${write.collection}/${write.key} (${own}) before ${words}`, truth, answer);
    }
    const weight = path && isUpdate(write) ? truth.pathWeight(view, write, path) : undefined;
    if (weight === undefined || weight === 0) return;
    const paths = changedPaths(write.old, write.new).map(one => one.path);
    const other = paths.find(one => (truth.pathWeight(view, write, one) ?? 0) > weight);
    if (other === undefined || other === path) return;
    const words = `${other} (${truth.pathWeight(view, write, other)})`;
    this.#fault(`${what} blames the path ${path} (${weight}) before ${words}`, truth, answer);
  }

  #writer(
    what: string,
    truth: BatchTruth,
    write: Written,
    {manager}: Claim,
    answer: {sentence: string},
  ): void {
    if (manager === undefined || write.managers.length === 0 || write.managers.includes(manager)) return;
    this.#fault(`${what} names the writer ${manager}`, truth, answer);
  }

  /** A row that no batch has changed must not name one of them. */
  #untouched(collection: string, key: string, truth: BatchTruth): void {
    const answer = this.#ask<Origin>({ask: 'origin', collection, key});
    const first = this.#history[0]?.sequence ?? truth.sequence;
    if (answer.write !== null && answer.write.sequence >= first)
      this.#fault(`origin ${collection}/${key} names a write that changed nothing`, truth, answer);
  }

  /** Checks inputs without a row: those that lost theirs in this batch, and some others. */
  #inputs(truth: BatchTruth): void {
    const {chance} = this.#cluster;
    for (const [collection, {inputs}] of Object.entries(families)) {
      const keys = [
        ...((inputs === 'Pods' ? truth.after.get('Pods') : truth.rowsAfter.get(inputs))?.keys() ?? []),
      ];
      const empty = keys.filter(input => rowsOfInput(truth.rowsAfter, collection, input).length === 0);
      const lost = empty.filter(input => truth.changed(inputView(collection, input)));
      for (const input of chance.some(lost, 2)) this.#lost(collection, input, truth);
      for (const input of chance.some(empty, 1)) this.#mends(collection, input, truth);
    }
  }

  #lost(collection: string, key: string, truth: BatchTruth): void {
    const answer = this.#ask<Origin>({ask: 'origin', collection, key, input: true});
    this.#claim(
      `origin of empty ${collection}/${key}`,
      truth,
      inputView(collection, key),
      answer.write,
      answer,
    );
  }

  /** Checks that an offered command fixes the row. */
  #mends(collection: string, key: string, truth: BatchTruth): void {
    const origin = this.#ask<Origin>({ask: 'origin', collection, key, input: true});
    const empty = this.#ask<WhyNot>({ask: 'why-empty', collection, key});
    this.#ruled(`why-empty ${collection}/${key}`, truth, empty);
    for (const [answer, command] of [
      [origin, origin.fix],
      [empty, empty.evidence.command],
    ] as const) {
      const mended = command === undefined ? undefined : applyCommand(truth.after, command);
      if (mended && rowsOfInput(rowsOf(mended), collection, key).length === 0)
        this.#fault(`${collection}/${key} is not mended by ${command}`, truth, answer);
    }
  }

  #whyNot(collection: string, key: string, truth: BatchTruth): void {
    const {chance, objects} = this.#cluster;
    const write = chance.of(truth.writes);
    const source = chance.of(['Pods', 'Services', 'Namespaces', 'EndpointSlices', 'NetworkPolicies']);
    const other = chance.of([...(objects.get(source)?.keys() ?? [])]);
    const expected =
      chance.below(2) === 0 || other === undefined
        ? {collection: write.collection, key: write.key}
        : {collection: source, key: other};
    const answer = this.#ask<WhyNot>({ask: 'why-not', collection, key, expected});
    const what = `why-not ${collection}/${key} expected ${expected.collection}/${expected.key}: ${answer.verdict}`;
    this.#ruled(what, truth, answer);
    const view = rowView(collection, key);
    const {verdict} = answer;
    const isGone = !truth.rowsAfter.get(collection)?.has(key);
    // The key may be that of an existing input.
    const isInput = isGone && this.#isInput(collection, key, truth);
    if (!isInput && isGone !== (verdict === 'gone'))
      return this.#fault(`${what}, though gone is ${isGone}`, truth, answer);
    if (isGone) return;
    const changed = this.#history.findLast(({writes}) => writes.some(one => isOf(one, expected)));
    const at = changed?.writes.find(one => isOf(one, expected));
    const needed = changed !== undefined && at !== undefined && isNeeded(changed, at, view);
    // An object that no filter matches any more gets that verdict first.
    if (needed && !['reacted', 'looked-elsewhere', 'did-not-look'].includes(verdict))
      return this.#fault(`${what}, though #${changed.sequence} changed the row`, truth, answer);
    const there = objects.get(expected.collection)?.has(expected.key) === true;
    // A filter in between may depend on a missing object. Only direct readers must react to its deletion.
    const direct = reads[collection]?.includes(expected.collection) === true;
    if ((verdict === 'did-not-look' || (verdict === 'looked-elsewhere' && direct)) && there) {
      const without = new Map(objects);
      const items = new Map(without.get(expected.collection));
      items.delete(expected.key);
      without.set(expected.collection, items);
      if (textOf(view(rowsOf(without))) !== textOf(view(truth.rowsAfter)))
        this.#fault(`${what}, though without it the row is another`, truth, answer);
    }
  }

  #isInput(collection: string, key: string, truth: BatchTruth): boolean {
    const {inputs} = families[collection] ?? {};
    if (inputs === undefined) return false;
    return truth.after.get(inputs)?.has(key) === true || truth.rowsAfter.get(inputs)?.has(key) === true;
  }

  /** One line of the table matches, it is the verdict, and no earlier line matches. */
  #ruled(what: string, truth: BatchTruth, answer: WhyNot): void {
    const {ruled} = answer.evidence;
    const held = ruled.findIndex(one => one.held);
    const inOrder = ruled.every((one, i) => one.verdict === verdicts[i]);
    const one = ruled.filter(line => line.held).length === 1;
    if (!inOrder || !one || ruled[held]?.verdict !== answer.verdict)
      this.#fault(`${what}: verdict and evidence disagree`, truth, answer);
  }
}

/** The collections that each formula of the shipped graph reads (docs/krt.md). */
const reads: Readonly<Record<string, readonly string[]>> = {
  Workloads: ['Pods', 'Services', 'Namespaces', 'ReplicaSets'],
  ServiceInfos: ['Services', 'Pods'],
  Endpoints: ['Services', 'Pods'],
  SliceEndpoints: ['EndpointSlices'],
  PolicyBindings: ['NetworkPolicies', 'Pods'],
};

function isUpdate({old, new: now}: Written): boolean {
  return old !== undefined && now !== undefined;
}

function isOf(write: Written, {collection, key}: {collection: string; key: string}): boolean {
  return write.collection === collection && write.key === key;
}

function isNeeded(truth: BatchTruth, write: Written, view: View): boolean {
  return truth.changed(view) && truth.right(view).length === 1 && truth.right(view)[0] === write;
}

/** The objects after an offered command; undefined for an unknown command. */
function applyCommand(objects: Objects, command: string): Objects | undefined {
  const match = /^kubectl -n (\S+) label pod (\S+) ([^=\s]+)=(\S+) --overwrite$/.exec(command);
  if (!match) return undefined;
  const [, namespace, name, label, value] = match as unknown as [string, string, string, string, string];
  const key = `${namespace}/${name}`;
  const pods = new Map(objects.get('Pods'));
  const pod = structuredClone(pods.get(key)) as {metadata: {labels?: Record<string, string>}} | undefined;
  if (pod === undefined) return undefined;
  pod.metadata.labels = {...pod.metadata.labels, [label]: value};
  pods.set(key, pod);
  return new Map(objects).set('Pods', pods);
}
