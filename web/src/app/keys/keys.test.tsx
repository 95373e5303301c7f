// @vitest-environment happy-dom
import {cleanup, render} from '@testing-library/react';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {changeSettings} from '../../store/settings.ts';
import {type KeyMap, type KeyRank, keyNames, listedKeys, listenToKeys, useKeys} from './keys.ts';

const press = (key: string, more: Partial<KeyboardEventInit> = {}, target: EventTarget = document.body) =>
  target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...more}));

function Part({keys, rank, children}: {keys: KeyMap; rank?: KeyRank; children?: React.ReactNode}) {
  useKeys(keys, true, rank);
  return children;
}

let stop: () => void;
beforeEach(() => {
  stop = listenToKeys();
  changeSettings({letters: true});
});
afterEach(() => {
  cleanup();
  stop();
});

const names = (key: string, more: object = {}) =>
  keyNames({key, code: '', shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more});

describe('names of keys', () => {
  test('shifted letters, symbols that need shift, and modifiers', () => {
    expect(names('w')).toEqual(['w']);
    expect(names('W', {shiftKey: true})).toEqual(['Shift+W']);
    expect(names('?', {shiftKey: true})).toContain('?');
    expect(names('<', {shiftKey: true, code: 'Comma'})[0]).toBe('Shift+,');
    expect(names('{', {shiftKey: true, code: 'BracketLeft'})[0]).toBe('Shift+[');
    expect(names('k', {ctrlKey: true})).toEqual(['Mod+K']);
    expect(names('End', {shiftKey: true})).toEqual(['Shift+End']);
    expect(names(' ')).toEqual(['Space']);
  });
});

describe('who hears a key', () => {
  test('the deeper part first; false passes it on; the base is asked last though mounted last', () => {
    const heard: string[] = [];
    render(
      <Part keys={{w: () => heard.push('base')}} rank="base">
        <Part keys={{w: {run: () => heard.push('view') === 0}}} />
      </Part>,
    );
    press('w');
    expect(heard).toEqual(['view', 'base']);
  });

  test('nothing below a modal part', () => {
    const heard: string[] = [];
    render(
      <Part keys={{w: () => heard.push('base')}} rank="base">
        <Part keys={{Escape: {run: () => heard.push('closed')}}} rank="modal" />
      </Part>,
    );
    press('w');
    press('Escape');
    expect(heard).toEqual(['closed']);
  });

  test('no letter while a text field has focus, but Ctrl K and keys for typing', () => {
    const heard: string[] = [];
    const {container} = render(
      <Part
        keys={{
          w: () => heard.push('w'),
          'Mod+K': () => heard.push('palette'),
          Escape: {typing: true, run: () => heard.push('esc')},
        }}
      >
        <input />
      </Part>,
    );
    const field = container.querySelector('input')!;
    press('w', {}, field);
    press('k', {ctrlKey: true}, field);
    press('Escape', {}, field);
    expect(heard).toEqual(['palette', 'esc']);
  });

  test('one setting turns single letters off and leaves the rest', () => {
    const heard: string[] = [];
    render(
      <Part
        keys={{
          w: () => heard.push('w'),
          Escape: {run: () => heard.push('esc')},
          'Mod+K': () => heard.push('k'),
        }}
      />,
    );
    changeSettings({letters: false});
    press('w');
    press('Escape');
    press('k', {metaKey: true});
    expect(heard).toEqual(['esc', 'k']);
  });

  test('Space and Enter belong to the button that has focus', () => {
    const heard: string[] = [];
    const {container} = render(
      <Part keys={{Space: {run: () => heard.push('play')}}}>
        <button type="button">x</button>
      </Part>,
    );
    press(' ', {}, container.querySelector('button')!);
    press(' ');
    expect(heard).toEqual(['play']);
  });
});

test('keys of a part that has the focus are listed and left to the part; a view may give a key another meaning', () => {
  const heard: string[] = [];
  const says = (words: string) => ({says: words, group: 'Move' as const, run: () => heard.push(words)});
  render(
    <Part keys={{Home: says('first row'), End: says('last row')}} rank="base">
      <Part keys={{End: says('end of the answer')}}>
        <Part keys={{Home: says('first column'), End: says('last column')}} rank="focus" />
        <Part keys={{Home: {...says('oldest moment'), group: 'Timeline'}}} rank="focus" />
      </Part>
    </Part>,
  );
  press('Home');
  press('End');
  expect(heard).toEqual(['first row', 'end of the answer']);
  expect(listedKeys().map(one => one.says)).toEqual(['first column', 'end of the answer', 'oldest moment']);
});

test('the sheet lists what says what it does, once, with the deepest meaning', () => {
  render(
    <Part keys={{Space: {says: 'pause', group: 'Time', run: () => {}}, x: () => {}}} rank="base">
      <Part keys={{Space: {says: 'play the wave', group: 'Time', run: () => {}}}} />
    </Part>,
  );
  expect(listedKeys().map(one => one.says)).toEqual(['play the wave']);
});
