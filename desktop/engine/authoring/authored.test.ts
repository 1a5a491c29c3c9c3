// What two authors have changed becomes one text where it can, and is asked about where it cannot.

import { expect, test } from 'vitest';
import type { AuthoredBase, AuthoredText } from '../../contract/authoring';
import { baseOf, isStill, mergedAlone, mergeTexts, requestOfText } from './authored';

const facts = { points: 10, due_at: '2026-12-01T10:00:00Z', unlock_at: null, lock_at: null };
const base: AuthoredBase = { title: 'Tides', html: '<p>a</p><p>b</p>', published: false, facts, version: '1' };
const having = (change: Partial<AuthoredText>): AuthoredBase => ({ ...base, ...change });

test.each<[string, Partial<AuthoredText>, Partial<AuthoredText>, Partial<AuthoredText> | undefined]>([
  ['I have changed the words, they the title', { html: '<p>a</p>' }, { title: 'Waves' }, { html: '<p>a</p>', title: 'Waves' }],
  ['I have published it, they have changed the words', { published: true }, { html: '<p>c</p>' }, { html: '<p>c</p>', published: true }],
  ['both have changed the title to the same', { title: 'Waves' }, { title: 'Waves' }, { title: 'Waves' }],
  ['both have changed the title', { title: 'Waves' }, { title: 'Ebb' }, undefined],
  ['both have changed the words, in different paragraphs', { html: '<p>X</p><p>b</p>' }, { html: '<p>a</p><p>Y</p>' }, undefined],
  ['both have changed the words to the same', { html: '<p>X</p>' }, { html: '<p>X</p>' }, { html: '<p>X</p>' }],
  [
    'I have changed the points, they the date',
    { facts: { ...facts, points: 5 } },
    { facts: { ...facts, due_at: null } },
    { facts: { ...facts, points: 5, due_at: null } },
  ],
  ['both have changed the points', { facts: { ...facts, points: 5 } }, { facts: { ...facts, points: 6 } }, undefined],
  ['the same time is written in another way', { facts: { ...facts, due_at: '2026-12-01T11:00:00+01:00' } }, {}, {}],
])('%s', (_, mine, theirs, result) => {
  const { version: _version, ...expected } = having(result ?? {});
  expect(mergedAlone(base, having(mine), having(theirs))).toEqual(result && expected);
});

test('a conflict names the field with both values, and keeps what the others have until it is decided', () => {
  const { merged, fields } = mergeTexts(base, having({ title: 'Waves', published: true }), having({ title: 'Ebb' }));
  expect(fields).toEqual([{ field: 'title', mine: 'Waves', theirs: 'Ebb' }]);
  expect(merged).toMatchObject({ title: 'Ebb', published: true });
});

test('only what has changed is sent, and everything of a new text', () => {
  expect(requestOfText('assignment', having({ title: 'Waves', facts: { ...facts, points: 5 } }), base)).toEqual({
    assignment: { name: 'Waves', points_possible: 5 },
  });
  expect(requestOfText('page', { ...base, facts: null }, null)).toEqual({
    wiki_page: { title: 'Tides', body: base.html, published: false },
  });
  expect(requestOfText('page', having({}), base)).toEqual({ wiki_page: {} });
});

test('without versions, the fields tell whether it has changed', () => {
  const page = { page_id: 1, url: 'tides', title: 'Tides', body: '<p>a</p>', published: true };
  expect(isStill(baseOf(page), baseOf({ ...page }))).toBe(true);
  expect(isStill(baseOf(page), baseOf({ ...page, body: '<p>b</p>' }))).toBe(false);
  expect(isStill({ ...baseOf(page), version: '1' }, { ...baseOf(page), body: '', version: '1' } as never)).toBe(true);
});
