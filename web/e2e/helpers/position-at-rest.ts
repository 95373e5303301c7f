// Where an element of the graph is once it has come to rest.
import type {Locator} from '@playwright/test';
import {expect} from './page-test.ts';

/** The middle of an element that has come to rest: a picture that is still being arranged is clicked beside it. */
export async function positionAtRest(element: Locator): Promise<readonly [number, number]> {
  let before = '';
  let middle: readonly [number, number] = [0, 0];
  await expect(async () => {
    const box = (await element.boundingBox())!;
    const now = JSON.stringify(box);
    const same = now === before;
    before = now;
    expect(same).toBe(true);
    // A picture that is about to be fitted stands still too, with half of itself outside its frame.
    middle = [box.x + box.width / 2, box.y + box.height / 2];
    const under = await element.evaluate(
      (one, [x, y]) => one.contains(document.elementFromPoint(x!, y!)),
      middle,
    );
    expect(under).toBe(true);
  }).toPass({intervals: [250]});
  return middle;
}
