// Conditional updates of pages and assignments: an author who has not seen the newest text changes nothing.

import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { between } from '../support/between';
import { follow } from '../support/feed';
import { aCourse, type Person } from '../support/ground';

const ifMatch = (version: string, more: Record<string, string> = {}) => ({ headers: { 'If-Match': `"${version}"`, ...more } });

async function aScene() {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  const at = `/courses/${course.id}`;
  const page = ok(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Tides', body: '<p>a</p>', published: true } }));
  const assignment = ok(
    await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', description: '<p>a</p>', published: true } }),
    201,
  );
  return {
    ...scene,
    at,
    /** The two kinds of content, with the fields that their authors send. */
    kinds: [
      {
        kind: 'page',
        id: page.page_id as number,
        path: `${at}/pages/page_id:${page.page_id}`,
        text: 'body',
        of: (given: object) => ({ wiki_page: given }),
        title: 'title',
      },
      {
        kind: 'assignment',
        id: assignment.id as number,
        path: `${at}/assignments/${assignment.id}`,
        text: 'description',
        of: (given: object) => ({ assignment: given }),
        title: 'name',
      },
    ] as const,
  };
}

test('a version changes with what authors decide on, and is for those who may change it; REST and the feed agree on it', async () => {
  const { kinds, teacher, ta, student, observer } = await aScene();
  for (const { kind, id, path, text, title, of } of kinds) {
    const seen: string[] = [];
    const next = async (given: object, isOther = true) => {
      const { version } = ok(within(await as(teacher).put(path, of(given)), 3));
      expect([kind, given, seen.includes(version)]).toEqual([kind, given, !isOther]);
      seen.push(version);
    };
    await next({ [text]: '<p>b</p>' });
    await next({ [title]: 'Waves' });
    await next({ published: false });
    // As it was before.
    await next({ published: true }, false);
    if (kind === 'page') await next({ publish_at: '2999-01-01T00:00:00Z' });
    else {
      await next({ points_possible: 7 });
      await next({ due_at: '2999-01-02T00:00:00Z' });
      await next({ unlock_at: '2999-01-01T00:00:00Z' });
      await next({ lock_at: '2999-01-03T00:00:00Z' });
      await next({ allowed_attempts: 2 }, false);
    }
    await next({ published: true, ...(kind === 'page' && { publish_at: null }) }, false);
    const current = ok(within(await as(ta).get(path), 2)).version;
    expect(current).toBe(seen.at(-1));
    for (const person of [student, observer]) expect(ok(await as(person).get(path))).not.toHaveProperty('version');
    const feed = follow(as(ta));
    expect(await feed.catchUp()).toContainEqual(
      expect.objectContaining({ kind, id, resource: expect.objectContaining({ version: current }) }),
    );
    const forStudent = (await follow(as(student)).catchUp()).find((one) => one.kind === kind && one.id === id);
    expect(forStudent).toHaveProperty('resource.published', true);
    expect(forStudent).not.toHaveProperty('resource.version');
  }
});

test('an author with an old version changes nothing, and gets the text as it is', async () => {
  const { kinds, teacher, ta } = await aScene();
  for (const { path, text, of } of kinds) {
    const { version } = ok(await as(teacher).get(path));
    ok(within(await as(ta).put(path, of({ [text]: '<p>theirs</p>' }), ifMatch(version)), 3));
    const refused = within(await as(teacher).put(path, of({ [text]: '<p>mine</p>' }), ifMatch(version)), 3);
    expect(refused.status).toBe(412);
    expect(refused.body.current).toMatchObject({ [text]: '<p>theirs</p>' });
    expect(ok(await as(teacher).get(path))[text]).toBe('<p>theirs</p>');
    // With the version that came with it, it is written.
    const merged = of({ [text]: '<p>theirs</p><p>mine</p>' });
    const keyed = ifMatch(refused.body.current.version, { 'Idempotency-Key': `merge-${text}` });
    const written = ok(await as(teacher).put(path, merged, keyed));
    expect(written[text]).toBe('<p>theirs</p><p>mine</p>');
    // A request whose response was lost is repeated, and takes effect once.
    expect(ok(await as(teacher).put(path, merged, keyed)).version).toBe(written.version);
  }
});

test('a change between the reading and the writing of a request is found, too', async () => {
  const { kinds, teacher, ta } = await aScene();
  for (const { path, text, of } of kinds) {
    const { version } = ok(await as(teacher).get(path));
    const [refused] = await between(
      () => as(teacher).put(path, of({ [text]: '<p>mine</p>' }), ifMatch(version)),
      /^update "(pages|assignments)"/i,
      async () => ok(await as(ta).put(path, of({ [text]: '<p>theirs</p>' }))),
    );
    expect(refused.status).toBe(412);
    expect(refused.body.current).toMatchObject({ [text]: '<p>theirs</p>' });
    expect(ok(await as(teacher).get(path))[text]).toBe('<p>theirs</p>');
  }
});

test('a condition reveals nothing to those who may not change it, and without one everything is as before', async () => {
  const { at, kinds, teacher, student, stranger } = await aScene();
  for (const { path, text, of } of kinds) {
    const { version } = ok(await as(teacher).get(path));
    for (const person of [student, stranger] as Person[])
      for (const tag of [version, 'x']) ok(await as(person).put(path, of({ [text]: 'Mine' }), ifMatch(tag)), 401);
    ok(await as(teacher).put(path, of({ [text]: '<p>c</p>' }), { headers: { 'If-Match': 'unquoted' } }), 400);
    ok(await as(teacher).put(path, of({ [text]: '<p>c</p>' }), { headers: { 'If-None-Match': '*' } }), 412);
    ok(await as(teacher).put(path, of({ [text]: '<p>c</p>' }), { headers: { 'If-Match': '*' } }));
    ok(await as(teacher).put(path, of({ [text]: '<p>d</p>' })));
  }
  // A page that is not there is created, unless it is expected to be there.
  ok(await as(teacher).put(`${at}/pages/new`, { wiki_page: { body: 'x' } }, { headers: { 'If-Match': '*' } }), 412);
  ok(await as(student).put(`${at}/pages/new`, { wiki_page: { body: 'x' } }, { headers: { 'If-Match': '*' } }), 401);
  ok(await as(teacher).put(`${at}/pages/new`, { wiki_page: { body: 'x' } }, { headers: { 'If-None-Match': '*' } }));
});
