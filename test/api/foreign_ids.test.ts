// Every id parameter in a body is sent ids that the caller may not read. New parameters are included automatically.

import { expect, test } from 'vitest';
import { actors, aForeignScene, writingEndpoints } from '../support/foreign';

test('an id that the caller may not read returns nothing of its object and changes nothing', { timeout: 300_000 }, async () => {
  const scene = await aForeignScene();
  await scene.note();
  const broken: string[] = [];
  for (const endpoint of writingEndpoints) for (const actor of actors) broken.push(...(await scene.attack(endpoint, actor)));
  expect(broken).toEqual([]);
  // Requests refused for other reasons prove nothing, so at least this many must reach the write.
  expect(scene.tally.taken).toBeGreaterThan(300);
});
