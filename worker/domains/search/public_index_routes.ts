// The public course index (reference 02 §2).

import { CourseColumns, IndexedCourse } from '@carrel/shared/resources/indexed_course';
import { cut } from '@carrel/shared/resources/resource';
import { optional, text } from '@carrel/shared/wire/fields';
import { and, type SQL, sql } from 'drizzle-orm';
import { contains, isInSelect } from '../../database/ids';
import { searchCondition } from '../../database/search';
import { withHost } from '../../html/addresses';
import { get } from '../../http/endpoint';
import { ascending, firstPageSql, type RowOf, rows } from '../../http/listing';
import { list } from '../../http/reply';
import { serializer } from '../../http/serializer';
import { courses } from '../courses/table';
import { mostFor } from '../users/search/matches';

const indexedCourse = serializer({
  resource: IndexedCourse,
  table: courses,
  json: (row: RowOf<typeof courses>, { origin }) => ({
    course: cut(CourseColumns, {
      ...row,
      // The syllabus is shown if the course or its syllabus is public.
      syllabus_body: row.is_public || row.public_syllabus ? withHost(row.syllabus_body, origin) : null,
      conclude_at: row.end_at,
      storage_quota: row.storage_quota_mb === null ? null : row.storage_quota_mb * 1_048_576,
    }),
  }),
});

/** Literal, to match the partial index of indexed courses. */
const isIndexed = sql.raw("courses.indexed = 1 and courses.workflow_state = 'available'");

export const publicIndexRoutes = [
  get(
    '/search/all_courses',
    {
      can: 'anyone',
      params: { search: optional(text), public_only: optional(text), open_enrollment_only: optional(text) },
      returns: [indexedCourse],
      summary: 'Search the public course index',
    },
    ({ params, page }) => {
      const term = params.search?.trim();
      const chosen = and(
        isIndexed,
        params.public_only ? sql`courses.is_public = 1` : undefined,
        params.open_enrollment_only ? sql`courses.open_enrollment = 1` : undefined,
      ) as SQL;
      const order = ascending(courses.id);
      if (!term) return list(rows(courses, { where: chosen, order }));
      const found = searchCondition('course', ['name'], [term], mostFor(page));
      const isFew = found?.isFew ?? sql`0`;
      const ways = [
        {
          from: sql`(${found?.ids ?? sql`select 0 as found where 0`}) few cross join courses`,
          where: sql`courses.id = few.found and ${chosen}`,
          when: isFew,
        },
        { from: sql`courses`, where: sql`${chosen} and ${contains(courses.name, term)}`, when: sql`not ${isFew}` },
      ];
      return list(rows(courses, { where: isInSelect(courses.id, firstPageSql(ways, sql`courses.id`, order, page)), order }));
    },
  ),
];
