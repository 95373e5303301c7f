import {describe, expect, test} from 'vitest';
import {changeRoute, emptyRoute, formatRoute, parseRoute} from './route.ts';

const at = (address: string) => {
  const url = new URL(address, 'http://x');
  return parseRoute({pathname: url.pathname, search: url.search});
};

describe('the address', () => {
  test('comes back the same from every place', () => {
    for (const address of [
      '/s/demo/overview',
      '/s/demo/sheet/Workloads/default%2Freviews-v1?q=ns%3Adefault&cols=ip%2Cwaypoint',
      '/s/file%3Aa%20b.krtrec/why/Workloads/default%2Freviews-v1?hop=2&run=184233.7&t=184233',
      '/s/prod/graph/Workloads?hops=2%2C2&ns=shop&i=0&r=rec1&t=5',
      '/connect',
    ]) {
      expect(formatRoute(at(address))).toBe(address);
    }
  });

  test('takes sel and focus for the selection, as links in the wild write them', () => {
    expect(at('/s/demo/sheet/Workloads?sel=default%2Freviews-v1').key).toBe('default/reviews-v1');
    expect(at('/s/prod/graph?focus=Workloads').collection).toBe('Workloads');
  });

  test('never carries the token', () => {
    expect(formatRoute(at('/s/demo/overview?token=secret'))).toBe('/s/demo/overview');
  });

  test('a view without a session is that of the session that start chose', () => {
    expect(at('/lab')).toMatchObject({view: 'lab', session: null, unknown: null});
    expect(at('/sheet/Pods/shop%2Fa?t=7')).toMatchObject({
      view: 'sheet',
      session: null,
      collection: 'Pods',
      key: 'shop/a',
      moment: 7,
    });
    expect(at('/nowhere')).toMatchObject({session: null, unknown: 'nowhere'});
    expect(at('/')).toMatchObject({view: 'overview', session: null, unknown: null});
  });

  test('an unknown view keeps its name, so that the page can say so; a moment that is no number is live', () => {
    expect(at('/s/demo/nowhere')).toMatchObject({view: 'overview', session: 'demo', unknown: 'nowhere'});
    expect(formatRoute(at('/s/demo/nowhere'))).toBe('/s/demo/nowhere');
    expect(changeRoute(at('/s/demo/nowhere'), {view: 'sheet'}, {}).unknown).toBeNull();
    expect(at('/s/demo/sheet?t=now').moment).toBeNull();
  });
});

describe('moving', () => {
  const here = at('/s/demo/sheet/Pods/shop%2Fa?q=ns:shop&run=7.1&t=12');

  test('another view keeps selection and moment and gets back its own params', () => {
    const graph = changeRoute(here, {view: 'graph'}, {graph: {hops: '1,1'}});
    expect(graph).toMatchObject({collection: 'Pods', key: 'shop/a', moment: 12, params: {hops: '1,1'}});
    expect(changeRoute(graph, {view: 'sheet'}, {sheet: here.params}).params).toEqual({q: 'ns:shop'});
  });

  test('the filter of the sheet goes along to the sheet beside Why, and back', () => {
    const why = changeRoute(here, {view: 'why'}, {why: {x: '2'}});
    expect(why.params).toEqual({x: '2', q: 'ns:shop'});
    const narrowed = {...why, params: {...why.params, q: 'ns:web'}};
    expect(changeRoute(narrowed, {view: 'sheet'}, {sheet: {q: 'ns:shop', cols: 'a'}}).params).toEqual({
      q: 'ns:web',
      cols: 'a',
    });
    expect(changeRoute(here, {view: 'graph'}, {}).params).toEqual({});
  });

  test('another item forgets the run, which was not its own', () => {
    expect(changeRoute(here, {key: 'shop/b'}, {}).run).toBeNull();
    expect(changeRoute(here, {key: 'shop/b', run: '9.2'}, {}).run).toBe('9.2');
  });

  test('another item forgets what was asked about the last one: its field, its empty cell', () => {
    const asked = at('/s/demo/origin/Pods/shop%2Fa?q=ns:shop&field=status.phase&input=1&step=2');
    expect(changeRoute(asked, {key: 'shop/b'}, {}).params).toEqual({q: 'ns:shop'});
    expect(changeRoute(asked, {moment: 4}, {}).params).toEqual(asked.params);
    expect(changeRoute(here, {view: 'origin'}, {origin: {field: 'x'}}).params).toEqual({q: 'ns:shop'});
  });

  test('another session is live: a sequence means nothing in another recording', () => {
    const other = changeRoute({...here, namespace: 'shop', recording: 'r1'}, {session: 'prod'}, {});
    expect(other).toMatchObject({moment: null, namespace: null, recording: null});
  });

  test('a place without a session is the root until the server has named one', () => {
    expect(formatRoute(emptyRoute)).toBe('/');
  });
});
