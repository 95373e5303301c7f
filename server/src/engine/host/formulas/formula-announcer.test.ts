import {expect, test} from 'vitest';
import {FormulaAnnouncer} from './formula-announcer.ts';

function rig() {
  const said: string[] = [];
  const announcer = new FormulaAnnouncer(message =>
    said.push(message.type === 'running' ? message.formula : message.type),
  );
  return {announcer, said};
}

test('many short runs are one word', () => {
  const {announcer, said} = rig();
  for (let i = 0; i < 10; i++) announcer.announceRun('A', 'a');
  announcer.announceRest();
  announcer.announceRest();
  expect(said).toEqual(['A', 'rested']);
});

test('who goes on after another one is announced again, and only then', () => {
  const {announcer, said} = rig();
  announcer.announceRun('A', 'a');
  announcer.announceReturn('A', 'a');
  announcer.announceRun('B', 'b');
  announcer.announceReturn('A', 'a');
  announcer.announceReturn('A', 'a');
  expect(said).toEqual(['A', 'B', 'A']);
});
