// Course changes as clients see them: plain events, or the compound object with linked objects (reference 06 §12.2).

import { CourseEvent, LinkedCourseEvent } from '@carrel/shared/resources/course_event';
import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { courseOfAccount } from '../courses/json';
import { courses } from '../courses/table';
import { user } from '../users/json';
import { users } from '../users/table';
import type { NamedIds } from './archived';
import { compound } from './compound';
import { course_events } from './table';

type EventRow = RowOf<typeof course_events>;

interface Facts {
  readonly id: number;
  readonly name: string;
  readonly start_at: string | null;
  readonly end_at: string | null;
}

const ofTable: NamedIds = (ids, column) => sql`select ${sql.raw(column)} from course_events where ${isInSelect(course_events.id, ids)}`;

const factsOf = (courseIds: SQL, { db }: Call) =>
  db.build.all<Facts>(sql`select id, name, start_at, end_at from courses where id in (${courseIds})`);

const others = ['copied_from', 'copied_to', 'reset_from', 'reset_to'] as const;

function told(row: EventRow, facts: readonly Facts[]) {
  const course = facts.find(({ id }) => id === row.course_id);
  const data = row.event_data;
  return {
    id: String(row.id),
    created_at: row.created_at,
    event_type: row.event_type,
    event_source: row.event_source,
    event_data: data,
    links: {
      course: row.course_id,
      user: row.user_id,
      page_view: null,
      ...Object.fromEntries(others.flatMap((name) => (typeof data[name] === 'number' ? [[name, data[name]]] : []))),
      ...(row.sis_import_id !== null && { sis_batch: row.sis_import_id }),
    },
    name: course?.name ?? '',
    start_at: course?.start_at ?? null,
    conclude_at: course?.end_at ?? null,
  };
}

export const courseEventOf = (named: NamedIds = ofTable) =>
  serializer({
    resource: CourseEvent,
    table: course_events,
    also: (ids, call) => ({ facts: factsOf(named(ids, 'course_id'), call) }),
    json: (row: EventRow, _call, { facts }) => told(row, facts),
  });

export const courseEvent = courseEventOf();

export const linkedCourseEvent = (named: NamedIds = ofTable) =>
  serializer({
    resource: LinkedCourseEvent,
    table: course_events,
    also: (ids, call) => ({
      facts: factsOf(named(ids, 'course_id'), call),
      courses: embed(courseOfAccount, rows(courses, { where: isInSelect(courses.id, named(ids, 'course_id')) })),
      users: embed(user, rows(users, { where: isInSelect(users.id, named(ids, 'user_id')) })),
    }),
    json(row: EventRow, _call, found) {
      const of = (list: readonly { row: { id: number }; json: object }[], id: number | null) =>
        list.filter((one) => one.row.id === id).map(({ json }) => json);
      return {
        ...told(row, found.facts),
        linked: { courses: of(found.courses, row.course_id), users: of(found.users, row.user_id) },
      };
    },
  });

/** The compound object of a page. */
export const courseEventCompound = (origin: string) =>
  compound({ 'events.course': `${origin}/api/v1/courses/{events.course}`, 'events.user': null, 'events.sis_batch': null }, [
    'courses',
    'users',
  ]);
