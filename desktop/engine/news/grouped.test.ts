// News that are shown as one line.

import { describe, expect, test } from 'vitest';
import { groupedNews } from './grouped';
import { type NewsDraft, newsOf, type Seeing } from './of_change';

const me = 7;

const result = (kind: Seeing['kind'], before: object | undefined, after: object | undefined): NewsDraft[] =>
  newsOf({
    kind,
    id: 1,
    course_id: 5,
    before: before as never,
    after: after as never,
    me,
    titleOf: (kind, id) => (kind === 'assignment' && id === 1 ? 'Essay' : kind === 'folder' ? `Folder ${id}` : undefined),
  });

const essay = {
  id: 1,
  course_id: 5,
  name: 'Essay',
  due_at: '2026-11-20T10:00:00Z',
  points_possible: 10,
  description: '<p>Two pages.</p>',
  lock_at: null,
};

const page = { page_id: 1, url: 'tides', title: 'Tides', body: '<p>Twice a day.</p>' };

const file = { id: 1, folder_id: 1, display_name: 'slides.pdf', size: 1, sha256: 'a' };

const module = { id: 1, name: 'Week 1', position: 1, state: 'locked', items: [{ id: 1, type: 'Page', title: 'Tides' }] };

describe('one line', () => {
  let id = 0;
  const lines = (news: readonly NewsDraft[]) =>
    groupedNews(news.map((one) => ({ ...one, id: ++id, at: 'x' }))).map(({ what, count }) => `${what} ${count}`);
  const files = (count: number, folder_id = 1) =>
    Array.from({ length: count }, (_, nth) => result('file', undefined, { ...file, folder_id, display_name: `${nth}.pdf` })).flat();
  test('groups many files of one folder', () =>
    expect(lines([...files(20), ...files(3, 2)])).toEqual(['file new 20', ...Array(3).fill('file new 0')]));
  test('groups dates moved by the same number of days', () => {
    const moved = (day: number) => result('assignment', essay, { ...essay, due_at: `2026-11-${day}T10:00:00Z` });
    expect(lines([...[22, 22, 22, 22, 25].flatMap(moved)])).toEqual(['due 4', 'due 0']);
  });
  test('groups a module with the items added to it or opened with it; an assignment has its own line', () => {
    const fresh = {
      ...module,
      items: [
        { id: 1, type: 'Page', title: 'Tides' },
        { id: 2, type: 'Assignment', title: 'Essay' },
      ],
    };
    expect(
      lines([...result('module', undefined, fresh), ...result('page', undefined, page), ...result('assignment', undefined, essay)]),
    ).toEqual(['module new 2', 'assignment new 0']);
    const opens = { ...page, body: undefined, locked_for_user: true };
    expect(lines([...result('module', module, { ...module, state: 'unlocked' }), ...result('page', opens, page)])).toEqual(['opened 0']);
    expect(lines([...result('module', { ...module, items: [] }, module), ...result('page', undefined, page)])).toEqual(['page new 0']);
  });
});
