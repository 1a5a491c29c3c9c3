// News that are shown as one line.

import { describe, expect, test } from 'vitest';
import { sampleNews } from '../../../test/support/sample_news';
import { groupedNews } from './grouped';
import type { NewsDraft } from './of_change';

const { result, essay, page, file, module } = sampleNews;

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
