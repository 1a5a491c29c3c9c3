import { expect, test } from 'vitest';
import { numberedPages } from './paging';

const url = new URL('https://carrel.test/api/v1/courses/1/outcome_rollups?page=2&access_token=secret');

test('a page in the middle names those around it, and no token', () => {
  const { pagination, link } = numberedPages(url, { page: 2, per_page: 10, count: 21 });
  expect(pagination).toMatchObject({ page: 2, per_page: 10, count: 21, page_count: 3 });
  expect(pagination.template).toBe('https://carrel.test/api/v1/courses/1/outcome_rollups?page={page}&per_page=10');
  expect(link).toContain('page=3&per_page=10>; rel="next"');
  expect(link).toContain('page=1&per_page=10>; rel="prev"');
  expect(link).not.toContain('secret');
});

test('the only page has no neighbours', () => {
  const { pagination } = numberedPages(url, { page: 1, per_page: 10, count: 0 });
  expect(pagination).toMatchObject({ page_count: 1 });
  expect(pagination).not.toHaveProperty('next');
  expect(pagination).not.toHaveProperty('prev');
});
