// The text of a statement depends on its shape only. SQLite compiles a new text, and D1 keeps compiled statements by their text, so ids, times
// and facts about the caller are parameters.

import { beforeAll, expect, test } from 'vitest';
import { askAs, broadQuery, isRead } from '../support/access';
import { endpoints, fillPath, pathValuesIn, titleOf } from '../support/every_endpoint';
import { aFullScene, type FullScene } from '../support/full_scene';
import { sentDuring } from '../support/statements';

let scenes: readonly [FullScene, FullScene];
beforeAll(async () => {
  scenes = [await aFullScene(), await aFullScene()];
  // Creates the account on the first call.
  await askAs('GET', '/api/v1/manually_created_courses_account', scenes[0].root);
}, 120_000);

const isWrite = (text: string): boolean => /^\s*(?:insert|update|delete)\b/i.test(text);

/** What a read reads. Writes after a response, such as counts of requests, are sent at any time. */
async function textsOf(
  endpoint: (typeof endpoints)[number],
  scene: FullScene,
  role: 'student' | 'teacher' | 'root',
): Promise<readonly string[]> {
  const address = `${fillPath(endpoint, pathValuesIn(endpoint, scene))}?${broadQuery(endpoint, scene)}`;
  const sent = await sentDuring(() => askAs('GET', address, scene[role]));
  return sent.map(({ statement }) => statement).filter((text) => !isWrite(text));
}

/** From where two texts differ. */
function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return `…${one.slice(Math.max(0, at - 60), at + 60)}… | …${other.slice(Math.max(0, at - 20), at + 60)}…`;
}

test('requests of two users about two courses send the same texts', { timeout: 240_000 }, async () => {
  const broken: string[] = [];
  for (const endpoint of endpoints.filter(isRead))
    for (const role of ['student', 'teacher', 'root'] as const) {
      const [one, other] = [await textsOf(endpoint, scenes[0], role), await textsOf(endpoint, scenes[1], role)];
      if (one.length !== other.length)
        broken.push(
          `${role}: ${titleOf(endpoint)} sends ${one.length} and ${other.length} statements: ${one.map((text) => text.slice(0, 60)).join(' | ')} and ${other.map((text) => text.slice(0, 60)).join(' | ')}`,
        );
      else
        for (const [at, text] of one.entries())
          if (text !== other[at]) broken.push(`${role}: ${titleOf(endpoint)}: ${difference(text, other[at] ?? '')}`);
    }
  expect(broken).toEqual([]);
});
