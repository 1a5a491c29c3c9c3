// Foreign ids in bodies: every parameter that takes ids is sent ids of things that its sender may not read. A parameter joins by existing.

import { expect, test } from 'vitest';
import { actors, aForeignScene, writes } from '../support/foreign';

test('an id of something that its sender may not read shows nothing of it and changes nothing of it', { timeout: 300_000 }, async () => {
  const scene = await aForeignScene();
  await scene.note();
  const broken: string[] = [];
  for (const endpoint of writes) for (const actor of actors) broken.push(...(await scene.attack(endpoint, actor)));
  expect(broken).toEqual([]);
  // Requests that are refused for other reasons prove nothing: so many get as far as the write.
  expect(scene.tally.taken).toBeGreaterThan(300);
});
