// Writing appointment groups: contexts, slots, and the time span.

import { bool, int, json, listOf, maybe, object, optional, read, referenceTo, text, time, word } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { loadedCourseRows, loadedCourses } from '../../../contexts/loaded_courses';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { invalid, notFound, unauthorized } from '../../../http/problem';
import { courses } from '../../courses/table';
import { group_categories } from '../../group_categories/table';
import { sections } from '../../sections/table';
import { idsIn } from '../readable_contexts';
import { mayManage } from '../target';
import { batchOf } from './json';

const limit = optional(maybe(int));
export const appointmentGroupFields = {
  appointment_group: optional(
    object({
      context_codes: optional(listOf(referenceTo('context'))),
      sub_context_codes: optional(listOf(referenceTo('context'))),
      title: optional(text),
      description: optional(maybe(text)),
      location_name: optional(maybe(text)),
      location_address: optional(maybe(text)),
      publish: optional(bool),
      participants_per_appointment: limit,
      min_appointments_per_participant: limit,
      max_appointments_per_participant: limit,
      new_appointments: optional(json),
      participant_visibility: optional(word),
      allow_observer_signup: optional(bool),
    }),
  ),
};

export interface Slot {
  readonly start_at: string;
  readonly end_at: string;
}

const most = 1000;
const wrong = (message: string) => invalid('appointments', 'invalid', message);

/**
 * Pairs of start and end, as a list or a map.
 * @throws Problem 400 for a malformed pair, an end before the start, or overlapping slots
 */
export function slotsGiven(given: unknown, there: readonly Slot[]): Slot[] {
  const pairs = given === undefined || given === null || given === '' ? [] : typeof given === 'object' ? Object.values(given) : [given];
  if (pairs.length > most) throw wrong(`At most ${most} appointments can be added at once`);
  const slots = pairs.map((pair) => {
    const [start, end] = typeof pair === 'object' && pair !== null ? Object.values(pair) : [];
    const times = read({ start_at: time, end_at: time }, { start_at: start, end_at: end });
    if (!times.ok) throw wrong('An appointment needs a start and an end');
    if (times.value.end_at < times.value.start_at) throw wrong('An appointment cannot end before it starts');
    return times.value;
  });
  const all = [...there, ...slots].sort((a, b) => (a.start_at < b.start_at ? -1 : 1));
  if (slots.length > 0 && all.some((slot, at) => at > 0 && slot.start_at < (all[at - 1] as Slot).end_at))
    throw wrong('Appointments overlap');
  return slots;
}

/**
 * The courses of the codes; the caller must manage the calendar of each.
 * @throws Problem 404 when no course is named, 401 without the right
 */
export async function coursesGiven(codes: readonly string[], subCodes: readonly string[], call: Call): Promise<number[]> {
  const ids = sql`select value from json_each(${JSON.stringify(idsIn(codes, 'course'))})`;
  const { build } = call.db;
  const isSet = subCodes.some((code) => code.startsWith('group_category_'));
  const [standing, found, parts, sets] = await call.db.perform([
    loadedCourseRows(ids, call),
    build.select().from(courses).where(sql`${courses.id} in (${ids}) and ${courses.workflow_state} <> 'deleted'`),
    build
      .select({ id: sections.id })
      .from(sections)
      .where(sql`${sections.course_id} in (${ids}) and ${sections.workflow_state} = 'active'`),
    build
      .select({ id: group_categories.id })
      .from(group_categories)
      .where(
        sql`id in (select value from json_each(${JSON.stringify(idsIn(subCodes, 'group_category'))})) and context_type = 'Course' and context_id in (${ids}) and workflow_state = 'available' and not non_collaborative`,
      ),
  ]);
  if (found.length === 0) throw notFound();
  const at = loadedCourses(standing, call);
  if (!found.every((course) => mayManage(at(course).context))) throw unauthorized();
  if (isSet) {
    if (subCodes.length > 1 || found.length > 1) throw invalid('sub_context_codes', 'invalid', 'must be one group category of one course');
    if (sets.length === 0) throw invalid('sub_context_codes', 'invalid', `is not a group category of this course: ${subCodes[0]}`);
    return found.map(({ id }) => id);
  }
  for (const code of subCodes)
    if (!parts.some(({ id }) => code === `course_section_${id}`))
      throw invalid('sub_context_codes', 'invalid', `is not a section of these courses: ${code}`);
  return found.map(({ id }) => id);
}

/** Limits are at least 1; null means no limit. */
export function limitsOf(given: Readonly<Record<string, unknown>>) {
  const of = (name: string) => {
    const value = lookUp(given, name) as number | null | undefined;
    if (typeof value === 'number' && (value < 1 || value > 1_000_000)) throw invalid(name, 'invalid', 'is not a positive number');
    return value;
  };
  return {
    participants_per_appointment: of('participants_per_appointment'),
    min_appointments_per_participant: of('min_appointments_per_participant'),
    max_appointments_per_participant: of('max_appointments_per_participant'),
  };
}

/**
 * Adds slots to a group and updates its time span.
 * @param id a select of the group's id
 */
export const addSlots = (slots: readonly Slot[], id: SQL, call: Call): Statement[] => [
  ...(slots.length
    ? [
        call.db.build.run(sql`insert into calendar_events (context_code, user_id, title, description, location_name, location_address, start_at, end_at, all_day, important_dates, blackout_date, details, workflow_state, created_at, updated_at)
          select 'appointment_group_' || g.id, ${call.me.id}, g.title, g.description, g.location_name, g.location_address, json_extract(slot.value, '$.start_at'), json_extract(slot.value, '$.end_at'), 0, 0, 0,
            ${JSON.stringify({ batch: batchOf(call) })}, 'active', ${call.now}, ${call.now} from json_each(${JSON.stringify(slots)}) slot join appointment_groups g on g.id = (${id})`),
      ]
    : []),
  reach(id, call),
];

export const reach = (id: SQL, call: Pick<Call, 'db'>): Statement =>
  call.db.build.run(sql`update appointment_groups set
    start_at = (select min(s.start_at) from calendar_events s where s.context_code = 'appointment_group_' || appointment_groups.id and s.workflow_state <> 'deleted'),
    end_at = (select max(s.end_at) from calendar_events s where s.context_code = 'appointment_group_' || appointment_groups.id and s.workflow_state <> 'deleted') where id = (${id})`);

/** A group that loses its last slot is deleted. */
export const withoutSlot = (id: number, call: Pick<Call, 'db' | 'now'>): Statement[] => [
  reach(sql`select ${id}`, call),
  call.db.build.run(sql`update appointment_groups set workflow_state = 'deleted', updated_at = ${call.now}
    where id = ${id} and not exists (select 1 from calendar_events s where s.context_code = ${`appointment_group_${id}`} and s.workflow_state <> 'deleted')`),
];
