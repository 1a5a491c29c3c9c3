// The tabs of a course: every endpoint, in the order of the API reference.

import { Tab } from '@carrel/shared/resources/tab';
import { bool, int, listOf, optional, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { actedBy, actorOf } from '../../contexts/acting';
import type { CourseContext } from '../../contexts/course';
import type { Database } from '../../database/open';
import { get, put } from '../../http/endpoint';
import { notFound, problem } from '../../http/problem';
import { answer, write } from '../../http/reply';
import { itself } from '../courses/policy';
import { courses } from '../courses/table';
import { configurationOf, fixed, rearranged, tabsJson, tabUse, toolTabsOf } from '../courses/tabs';

export const about = { title: 'Tabs', description: 'Tabs of the navigation of a course or group.' };

const tabs = '/courses/:course_id/tabs';

async function useOf(db: Database, course: CourseContext) {
  const [[use]] = await db.perform([tabUse(db, sql`select ${course.id}`)]);
  return use;
}

export const tabRoutes = [
  get(
    tabs,
    { can: 'read', params: { include: optional(listOf(text)) }, returns: { json: Tab }, summary: 'List the tabs of a course' },
    async ({ db, course, origin, me }) => answer(tabsJson(course, await useOf(db, course), { origin, me })),
  ),

  put(
    `${tabs}/:tab_id`,
    {
      can: 'manage_course_content_edit',
      params: { position: optional(int), hidden: optional(bool) },
      returns: { json: Tab },
      summary: 'Update a course tab',
    },
    async ({ db, me, course, path, params, origin, now }) => {
      const use = await useOf(db, course);
      const before = configurationOf(course, toolTabsOf(use));
      if (!before.some(({ id }) => id === path.tab_id)) throw notFound();
      if (fixed.has(path.tab_id)) throw problem(400, 'that tab is not manageable');
      const { position, hidden } = params;
      // Home is always first, and settings always last.
      if (position !== undefined && (position <= 1 || position >= before.length)) throw problem(400, 'that tab location is invalid');
      const after = rearranged(before, path.tab_id, position, hidden);
      const settings = { ...course.settings, tab_configuration: after.filter(({ id }) => !fixed.has(id)) };
      const result = tabsJson({ ...course, settings }, use, { origin, me }).find((tab) => (tab as { id: string }).id === path.tab_id);
      return write(
        actedBy(db, actorOf(me), [
          db.build
            .update(courses)
            .set({
              settings: sql`json_set(${courses.settings}, '$.tab_configuration', json(${JSON.stringify(settings.tab_configuration)}))`,
              updated_at: now,
            })
            .where(itself(course)),
        ]),
        answer(result),
      );
    },
  ),
];
