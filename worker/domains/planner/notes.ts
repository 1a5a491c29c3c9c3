// Validation of planner notes: date, course, linked object.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { badParameter, notFound, problem } from '../../http/problem';
import { readableCourses } from '../calendar_events/readable_contexts';
import { timeGiven, userZoneOf } from '../calendar_events/window';
import { linkable } from './notes_json';
import { plannableType, selectPlannable } from './plannables';

/** @throws Problem 400 for an invalid date */
export function todoDate(given: string | undefined, call: Pick<Call, 'me' | 'institution'>): string {
  const at = given === undefined ? undefined : timeGiven(given, 'start_date', userZoneOf(call));
  if (at === undefined) throw badParameter('todo_date', given === undefined || given === '' ? 'is missing' : 'is not a date and time');
  return at;
}

interface Link {
  readonly type: string;
  readonly id: number;
}

/** @throws Problem 400 for a link without a course, or to a type that cannot be linked */
export function linkGiven(given: { linked_object_type?: string; linked_object_id?: number; course_id?: number | null }): Link | undefined {
  if (given.linked_object_type === undefined && given.linked_object_id === undefined) return undefined;
  if (given.course_id === undefined || given.course_id === null) throw problem(400, 'must specify course_id');
  const type = plannableType(given.linked_object_type ?? '');
  if (type === undefined || !linkable.includes(type)) throw problem(400, 'invalid linked_object_type');
  return { type, id: given.linked_object_id ?? 0 };
}

/**
 * Reads the title of the linked object, and checks that its course may be read.
 * @throws Problem 404 for a course or object that is not visible to the caller
 */
export async function checkNoteContext(course_id: number | null, link: Link | undefined, call: Call): Promise<string | undefined> {
  if (course_id === null) return undefined;
  const type = link && plannableType(link.type);
  const object: SQL = link && type ? selectPlannable(type, link.id, call) : sql`select 0 as course_id, '' as title`;
  const [courses, objects] = await call.db.perform([
    call.db.build.all<{ course_id: number }>(sql`select course_id from (${readableCourses(sql`select ${course_id}`, call)})`),
    call.db.build.all<{ course_id: number; title: string }>(object),
  ]);
  if (courses.length === 0) throw notFound();
  if (!link) return undefined;
  const [found] = objects;
  if (!found || found.course_id !== course_id) throw notFound();
  return found.title;
}
