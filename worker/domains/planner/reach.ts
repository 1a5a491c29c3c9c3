// The user whose planner is requested, and its contexts.

import { type SQL, sql } from 'drizzle-orm';
import { isActiveOrPastStaff } from '../../contexts/predicates';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { asAdmin } from '../calendar_events/administered';
import { calendarCodes, coursesByCode, idsIn, visibleCalendars } from '../calendar_events/readable_contexts';
import { ownCourseIds } from '../courses/own_courses';
import { closedModulesIn } from '../modules/items/content';

export interface PlannerScope {
  /** Whose dates, notes and submissions are shown. */
  readonly subject: number;
  /** A select of course ids. */
  readonly courses: SQL;
  /** A select of the modules that are closed to the user; content only in those is hidden. */
  readonly closed: SQL;
  /** A select of group ids. */
  readonly groups: SQL;
  /** A select of the context codes whose events are shown. */
  readonly codes: SQL;
  /** The notes to show: all, or those of the named courses and, if the user's own calendar is named, those without a course. */
  readonly notes: SQL;
}

/** Reads whether the caller observes a user. */
export const observes = (call: Pick<Call, 'db' | 'me'>, student: number) =>
  call.db.build.all<{ observed: number }>(
    sql`select 1 as observed where exists (select 1 from observers where observers.observer_id = ${shared('user', call.me.id)} and observers.student_id = ${student})
      or exists (select 1 from enrollments where enrollments.user_id = ${shared('user', call.me.id)} and enrollments.observed_user_id = ${student} and enrollments.enrollment_state in ('active', 'completed'))`,
  );

/** Whether the user is an instructor in a course. */
export const teachesIn = (user_id: number, course: SQL): SQL =>
  sql`exists (select 1 from enrollments s where s.user_id = ${shared('user', user_id)} and s.course_id = ${course} and ${isActiveOrPastStaff('s')})`;

/** A select of modules that are closed to a user, who is the caller or a student they observe. */
export function closedFor(subject: number, courses: SQL, call: Pick<Call, 'me'>): SQL {
  const course = sql.raw('o.course_id');
  const teaches = teachesIn(subject, course);
  return closedModulesIn(courses, subject, subject === call.me.id ? sql`(${teaches} or ${asAdmin(course, call)})` : teaches);
}

interface Asked {
  readonly subject: number;
  readonly context_codes?: readonly string[];
  readonly include: ReadonlySet<string>;
}

/** A student's own calendar is visible to the student, to administrators, and to observers who observe them everywhere. */
const whereShown = (subject: number, isFree: boolean, { me }: Pick<Call, 'me'>): SQL =>
  isFree
    ? sql``
    : sql` where code <> ${`user_${subject}`} or exists (select 1 from observers where observers.observer_id = ${me.id} and observers.student_id = ${subject})`;

/** A select of the groups named, or else of the user's own, which no one else sees. */
function groupsShown(subject: number, named: readonly string[] | undefined, isMine: boolean): SQL {
  if (named) return sql`select value from json_each(${JSON.stringify(idsIn(named, 'group'))})`;
  return isMine
    ? sql`select m.group_id from group_memberships m join groups g on g.id = m.group_id where m.user_id = ${shared('user', subject)} and m.workflow_state = 'accepted' and g.workflow_state = 'available'`
    : sql`select 0 where 0`;
}

/** Notes are private to their author (reference 05 §10.3). */
function notesShown(named: readonly string[] | undefined, isMine: boolean, showsOwn: boolean): SQL {
  if (!isMine) return sql`0`;
  return named ? sql`(n.course_id in (select id from place)${showsOwn ? sql` or n.course_id is null` : sql``})` : sql`1`;
}

export function plannerScopeOf({ subject, context_codes, include }: Asked, call: Call): PlannerScope {
  const { me, now } = call;
  const named = context_codes?.length ? context_codes : undefined;
  const states = include.has('concluded') ? {} : { enrollment_state: 'active' as const };
  const own = ownCourseIds(subject, { ...(include.has('all_courses') ? {} : { enrollment_type: 'student' as const }), ...states }, now);
  const isMine = subject === me.id;
  const isAdmin = me.adminLinks.some((link) => link.account_id === call.institution.root.id);
  // An observer sees the courses in which they observe the student.
  const observedIn = sql`select course_id from enrollments where user_id = ${shared('user', me.id)} and observed_user_id = ${subject} and enrollment_state in ('active', 'completed', 'invited')`;
  const chosen = named ? coursesByCode(named) : own;
  const courses = isMine || isAdmin ? chosen : sql`select id from courses where id in (${chosen}) and id in (${observedIn})`;
  const showsOwn = !named || named.includes(`user_${subject}`);
  const codes = [...(showsOwn ? [`user_${subject}`] : []), ...(named?.filter((code) => code.startsWith('account_')) ?? [])];
  // Account calendars that are shown automatically, when they are requested.
  const subscribed =
    include.has('account_calendars') && isMine && !named
      ? sql` union select 'account_' || id from accounts where calendar_auto_subscribe and id in (${visibleCalendars(subject)})`
      : sql``;
  return {
    subject,
    courses,
    closed: closedFor(subject, sql`select id from place`, call),
    groups: groupsShown(subject, named, isMine),
    // D1 allows five terms in a compound select; these are four.
    codes: sql`select code from (${calendarCodes(codes, sql`select id from place`, subject, call)})${whereShown(subject, isMine || isAdmin, call)} union select 'group_' || id from team${subscribed}`,
    notes: notesShown(named, isMine, showsOwn),
  };
}
