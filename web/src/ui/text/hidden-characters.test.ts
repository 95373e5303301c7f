// @vitest-environment happy-dom
import {afterEach, expect, test} from 'vitest';
import {escapeHiddenCharactersIn} from './hidden-characters.ts';

let stop = () => {};
afterEach(() => {
  stop();
  document.body.innerHTML = '';
});

const settled = () => new Promise(resolve => setTimeout(resolve));

test('a name that reverses itself is shown with its escapes, in texts and titles, now and later', async () => {
  document.body.innerHTML =
    '<div id="root"><b title="a\u202eb">shop/\u202etrac</b><i>plain ß 👩\u200d🚀</i></div>';
  const root = document.getElementById('root')!;
  stop = escapeHiddenCharactersIn(root);
  expect(root.querySelector('b')!.outerHTML).toBe('<b title="a\\u202eb">shop/\\u202etrac</b>');
  expect(root.querySelector('i')!.textContent).toBe('plain ß 👩\u200d🚀');
  root.querySelector('b')!.firstChild!.nodeValue = 'x\u2066y';
  root.querySelector('i')!.setAttribute('title', '\u200fz');
  root.insertAdjacentHTML('beforeend', '<p><span>new\u200b</span></p>');
  await settled();
  expect(root.querySelector('b')!.textContent).toBe('x\\u2066y');
  expect(root.querySelector('i')!.title).toBe('\\u200fz');
  expect(root.querySelector('span')!.textContent).toBe('new\\u200b');
});

test('the text in an editor stays as it is', async () => {
  document.body.innerHTML = '<div id="root"><div contenteditable="true"><p>\u202e</p></div></div>';
  stop = escapeHiddenCharactersIn(document.getElementById('root')!);
  await settled();
  expect(document.querySelector('p')!.textContent).toBe('\u202e');
});
