// Counts of page views by user, hour and category.

import { expect, test } from 'vitest';
import { tallyOf, viewCategoryOf } from './tally';
import type { RecordedView } from './view';

const host = 'https://carrel.test/api/v1';

test.each([
  ['/courses/7', 'general'],
  ['/courses/7/tabs', 'general'],
  ['/courses/7/assignments/3/submissions/9', 'assignments'],
  ['/sections/5/assignments/3/submissions', 'assignments'],
  ['/courses/7/assignment_groups', 'assignments'],
  ['/courses/7/discussion_topics/3/entries', 'discussions'],
  ['/courses/7/discussion_topics?only_announcements=true', 'announcements'],
  ['/courses/7/front_page', 'pages'],
  ['/courses/7/modules/2/items', 'modules'],
  ['/courses/7/students/submissions', 'grades'],
  ['/files/12', 'files'],
  ['/groups/4/discussion_topics', 'groups'],
  ['/courses/7/users', 'other'],
  ['/courses/7/constructor', 'other'],
])('%s is a view of %s', (path, category) => {
  expect(viewCategoryOf(`${host}${path}`)).toBe(category);
});

const view = (more: Partial<RecordedView>): RecordedView => ({
  ...{ uuid: 'u', user_id: 3, real_user_id: null, context_type: 'Course', context_id: 7, asset_type: null, asset_id: null },
  ...{
    controller: 'pages',
    action: 'show',
    participated: false,
    user_request: false,
    http_method: 'GET',
    url: `${host}/courses/7/pages/a`,
  },
  ...{ user_agent: null, remote_ip: null, app_name: null, render_time: 0, created_at: '1970-01-01T02:59:59Z' },
  ...more,
});

test('views are counted by course, user, hour and category, with the participations', () => {
  const views = [
    view({}),
    view({ participated: true, http_method: 'PUT' }),
    view({ created_at: '1970-01-01T03:00:00Z' }),
    view({ user_id: 4 }),
    view({ context_id: 8, url: `${host}/courses/8` }),
  ];
  expect(tallyOf(views)).toEqual([
    [7, 3, 2, 'pages', 2, 1, '10799 /api/v1/courses/7/pages/a\n'],
    [7, 3, 3, 'pages', 1, 0, ''],
    [7, 4, 2, 'pages', 1, 0, ''],
    [8, 3, 2, 'general', 1, 0, ''],
  ]);
});

test('views of other contexts, and those of an administrator who acts as the user, are not counted', () => {
  expect(tallyOf([view({ context_type: 'User' }), view({ context_type: null, context_id: null }), view({ real_user_id: 1 })])).toEqual([]);
});
