// The context of an event, current or requested, and whether the caller may write there.

import { eq, type SQL, sql } from 'drizzle-orm';
import { above } from '../../contexts/account_tree';
import type { CourseContext } from '../../contexts/course';
import { adminMay, chainOf } from '../../contexts/institution';
import { loadedCourseRows, loadedCourses } from '../../contexts/loaded_courses';
import type { ResultsOf, Statement } from '../../database/open';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { notFound, unauthorized } from '../../http/problem';
import { accounts } from '../accounts/table';
import { courses } from '../courses/table';
import { group_memberships, groups } from '../groups/table';
import { role_overrides } from '../roles/table';
import { sections } from '../sections/table';

interface Place {
  readonly context_code: string;
  readonly effective_context_code: string | null;
  readonly title: string;
  readonly zone: string | null;
  readonly sectionIds: readonly number[];
}

const parse = (code: string): [kind: string, id: number] => {
  const [, kind, id] = /^(course|course_section|user|account|group)_(\d{1,15})$/.exec(code) ?? [];
  if (!kind) throw notFound();
  return [kind, Number(id)];
};

export const mayManage = (course: CourseContext): boolean => course.canRead && course.can('manage_calendar');

/**
 * Resolves a context code; the given statements run in the same round trip.
 * @throws Problem 404 for an unknown context, 401 when the caller may not write there
 */
export async function calendarTargetOf<const S extends readonly Statement[]>(
  code: string | undefined,
  call: Call,
  beside: S,
): Promise<[Place, ResultsOf<S>]> {
  const [kind, id] = parse(code ?? '');
  if (kind === 'user') {
    if (id !== call.me.id) throw unauthorized();
    return [plain(`user_${id}`, 'User Event'), (await call.db.perform(beside)) as ResultsOf<S>];
  }
  if (kind === 'account') {
    const up = above(sql`select ${id}`);
    const [rows, overrides, ...others] = await call.db.perform([
      call.db.build.select().from(accounts).where(sql`${accounts.id} in (${up}) and ${accounts.workflow_state} <> 'deleted'`),
      call.db.build.select().from(role_overrides).where(sql`${role_overrides.account_id} in (${up})`),
      ...beside,
    ]);
    const institution = { ...call.institution, accounts: new Map(rows.map((row) => [row.id, row])), overrides };
    if (!institution.accounts.has(id)) throw notFound();
    if (!adminMay('manage_account_calendar_events', call.me, chainOf(id, institution), institution)) throw unauthorized();
    return [plain(`account_${id}`, 'Account Event'), others as ResultsOf<S>];
  }
  if (kind === 'group') return inGroup(id, call, beside);
  const courseId: SQL =
    kind === 'course' ? sql`select ${id}` : sql`select course_id from sections where id = ${id} and workflow_state = 'active'`;
  const { build } = call.db;
  const [standing, [row], sectionRows, ...others] = await call.db.perform([
    loadedCourseRows(courseId, call),
    build.select().from(courses).where(sql`${courses.id} in (${courseId}) and ${courses.workflow_state} <> 'deleted'`),
    build
      .select({ id: sections.id })
      .from(sections)
      .where(sql`${sections.course_id} in (${courseId}) and ${eq(sections.workflow_state, 'active')}`),
    ...beside,
  ]);
  if (!row) throw notFound();
  const { context } = loadedCourses(standing, call)(row);
  const limit = context.sectionLimit;
  if (!mayManage(context) || (limit && kind === 'course_section' && !limit.includes(id))) throw unauthorized();
  const place = {
    context_code: `${kind}_${id}`,
    effective_context_code: kind === 'course_section' ? `course_${row.id}` : null,
    title: kind === 'course' ? 'Course Event' : 'Course Section Event',
    zone: row.time_zone,
    sectionIds: sectionRows.map((section) => section.id),
  };
  return [place, others as ResultsOf<S>];
}

/** All members manage a group's calendar, as do users who manage groups in its course or account (reference 05 §14). */
async function inGroup<const S extends readonly Statement[]>(id: number, call: Call, beside: S): Promise<[Place, ResultsOf<S>]> {
  const { build } = call.db;
  const course = sql`select context_id from groups where id = ${id} and context_type = 'Course'`;
  const [standing, [row], [member], [group], ...others] = await call.db.perform([
    loadedCourseRows(course, call),
    build.select().from(courses).where(sql`${courses.id} in (${course}) and ${courses.workflow_state} <> 'deleted'`),
    build
      .select({ id: group_memberships.id })
      .from(group_memberships)
      .where(sql`group_id = ${id} and user_id = ${shared('user', call.me.id)} and workflow_state = 'accepted'`),
    build.select().from(groups).where(sql`id = ${id} and workflow_state = 'available'`),
    ...beside,
  ]);
  if (!group) throw notFound();
  const context = row && loadedCourses(standing, call)(row).context;
  if (group.context_type === 'Course' && !context) throw notFound();
  const manages = context
    ? context.can('manage_groups_manage')
    : adminMay('manage_groups_manage', call.me, chainOf(group.context_id, call.institution), call.institution);
  if (!manages && !(member && (context?.canRead ?? true))) throw unauthorized();
  return [{ ...plain(`group_${id}`, 'Group Event'), zone: row?.time_zone ?? null }, others as ResultsOf<S>];
}

const plain = (context_code: string, title: string): Place => ({
  context_code,
  effective_context_code: null,
  title,
  zone: null,
  sectionIds: [],
});
