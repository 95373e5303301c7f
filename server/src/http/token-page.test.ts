import {expect, test} from 'vitest';
import {tokenPage} from './token-page.ts';

const page = (address: string) => tokenPage(new URL(address, 'http://127.0.0.1:7070'));

test('a token that is not the right one is said to be wrong; whoever showed none is only asked', () => {
  expect(page('/s/demo/sheet?t=3')).not.toContain('role="alert"');
  expect(page('/s/demo/sheet?token=guess&t=3')).toContain('<p role="alert">Wrong access token');
});

test('the moment of a link stays, the wrong token goes, and neither can write into the page', () => {
  const html = page('/s/demo/sheet?token=guess&t=3&q=%22%3E%3Cb%3E');
  expect(html).toContain('<input type="hidden" name="t" value="3">');
  expect(html).not.toContain('guess');
  expect(html).not.toContain('<b>');
});
