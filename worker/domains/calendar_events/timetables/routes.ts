// Course timetables: the weekly schedule is stored, and its meetings are kept as calendar events.

import { idField, listOf, maybe, optional } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { get, post } from '../../../http/endpoint';
import { answer, write } from '../../../http/reply';
import { notifyOfInsert } from '../../../rules/notify';
import { sections } from '../../sections/table';
import { calendar_events, course_timetables } from '../table';
import { userZoneOf } from '../window';
import { type Lesson, lesson, lessonsGiven, lessonsOf, mostLessons, sectionNamed, type Term, timetables } from './days';

type Asking = Pick<Call, 'db' | 'me' | 'now' | 'institution'> & { readonly course: CourseContext };

const can = 'manage_calendar';
const json = { json: null } as const;
const isDone = answer({ status: 'ok' });

/** The course's own dates take precedence over its term's. */
const termOf = ({ course, ...call }: Asking): Term => ({
  start_at: course.start_at ?? course.term.start_at,
  end_at: course.end_at ?? course.term.end_at,
  zone: course.time_zone ?? userZoneOf(call),
});

/** The course's sections and its current timetable. */
const standing = ({ db, course }: Asking) =>
  db.perform([
    db.build
      .select({ id: sections.id })
      .from(sections)
      .where(and(eq(sections.course_id, course.id), eq(sections.workflow_state, 'active'))),
    db.build.select().from(course_timetables).where(eq(course_timetables.course_id, course.id)),
  ]);

/** The code that identifies a meeting. */
const codeOf = sql.raw("json_extract(calendar_events.details, '$.timetable')");

/** Makes the events of one calendar match a timetable: moves existing ones, deletes missing ones, creates new ones. */
function follow(context_code: string, lessons: readonly Lesson[], call: Asking): Statement[] {
  const { db, me, now, course } = call;
  const field = (name: string): SQL => sql.raw(`json_extract(value, '$.${name}') as ${name}`);
  const fields = sql.join(['code', 'title', 'start_at', 'end_at', 'location_name'].map(field), sql`, `);
  const given = sql`with lesson as materialized (select ${fields} from json_each(${JSON.stringify(lessons)}))`;
  const theirs = sql`context_code = ${context_code} and workflow_state <> 'deleted' and ${codeOf} is not null`;
  const effective = context_code === `course_${course.id}` ? null : `course_${course.id}`;
  const title = sql`coalesce(lesson.title, ${course.name})`;
  return [
    db.build.run(
      sql`${given} update calendar_events set workflow_state = 'deleted', updated_at = ${now} where ${theirs} and ${codeOf} not in (select code from lesson)`,
    ),
    db.build.run(sql`${given} update calendar_events set start_at = lesson.start_at, end_at = lesson.end_at, location_name = lesson.location_name, title = ${title}, updated_at = ${now}
        from lesson where ${theirs} and lesson.code = ${codeOf}
        and (calendar_events.start_at is not lesson.start_at or calendar_events.end_at is not lesson.end_at or calendar_events.location_name is not lesson.location_name or calendar_events.title is not ${title})`),
    db.build.run(sql`${given} insert into calendar_events (context_code, effective_context_code, user_id, title, location_name, start_at, end_at, all_day, time_zone_edited, important_dates, blackout_date, details, workflow_state, created_at, updated_at)
        select ${context_code}, ${effective}, ${me.id}, ${title}, location_name, start_at, end_at, 0, ${termOf(call).zone}, 0, 0, json_object('timetable', code), 'active', ${now}, ${now}
        from lesson where code not in (select ${codeOf} from calendar_events where ${theirs})`),
    ...notifyOfInsert(db, calendar_events, now),
  ];
}

export const timetableRoutes = [
  get(
    '/courses/:course_id/calendar_events/timetable',
    { can, returns: json, summary: 'Get a course timetable' },
    async ({ db, course }) => {
      const [[kept]] = await db.perform([db.build.select().from(course_timetables).where(eq(course_timetables.course_id, course.id))]);
      return answer(kept?.timetables ?? {});
    },
  ),

  post(
    '/courses/:course_id/calendar_events/timetable',
    { can, params: { timetables: optional(maybe(timetables)) }, returns: json, summary: 'Set a course timetable' },
    async (call) => {
      const { db, course, now } = call;
      const given = call.params.timetables ?? {};
      const [there, [before]] = await standing(call);
      const ids = there.map(({ id }) => id);
      const term = termOf(call);
      const plans = new Map(
        Object.entries(given).map(([name, meetings]) => [sectionNamed(name, ids) ?? `course_${course.id}`, lessonsOf(meetings, term)]),
      );
      // A calendar whose timetable was removed loses its events.
      for (const name of Object.keys(before?.timetables ?? {})) {
        const code = name === 'all' ? `course_${course.id}` : `course_section_${name}`;
        if (!plans.has(code)) plans.set(code, []);
      }
      const values = { timetables: given, updated_at: now };
      return write(
        [
          db.build
            .insert(course_timetables)
            .values({ course_id: course.id, ...values })
            .onConflictDoUpdate({ target: course_timetables.course_id, set: values }),
          ...[...plans].flatMap(([code, lessons]) => follow(code, lessons, call)),
        ],
        isDone,
      );
    },
  ),

  post(
    '/courses/:course_id/calendar_events/timetable_events',
    {
      can,
      params: { course_section_id: optional(maybe(idField('section'))), events: optional(listOf(lesson)) },
      returns: json,
      summary: 'Set course timetable events',
    },
    async (call) => {
      const { course_section_id, events = [] } = call.params;
      const [there] = await standing(call);
      const section = sectionNamed(
        String(course_section_id ?? 'all'),
        there.map(({ id }) => id),
      );
      return write(follow(section ?? `course_${call.course.id}`, lessonsGiven(events.slice(0, mostLessons + 1)), call), isDone);
    },
  ),
];
