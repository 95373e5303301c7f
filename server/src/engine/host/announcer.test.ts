import {expect, test} from 'vitest';
import {Announcer} from './announcer.ts';

function rig() {
  const said: string[] = [];
  const announcer = new Announcer(message =>
    said.push(message.type === 'running' ? message.formula : message.type),
  );
  return {announcer, said};
}

test('many short runs are one word', () => {
  const {announcer, said} = rig();
  for (let i = 0; i < 10; i++) announcer.run('A', 'a');
  announcer.rest();
  announcer.rest();
  expect(said).toEqual(['A', 'rested']);
});

test('who goes on after another one is announced again, and only then', () => {
  const {announcer, said} = rig();
  announcer.run('A', 'a');
  announcer.back('A', 'a');
  announcer.run('B', 'b');
  announcer.back('A', 'a');
  announcer.back('A', 'a');
  expect(said).toEqual(['A', 'B', 'A']);
});
