// The settings of moderated grading as clients send them (reference 03 §1.2).

import { bool, idField, int, maybe, optional, type Shape } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isActiveGrader } from '../../contexts/predicates';
import type { Database, ResultOf } from '../../database/open';
import { invalid } from '../../http/problem';
import { type Moderation, moderationOf, mostGraders, unmoderated } from '../../rules/moderated_grading';

export const moderationFields = {
  moderated_grading: optional(bool),
  grader_count: optional(maybe(int)),
  final_grader_id: optional(maybe(idField('user'))),
  graders_anonymous_to_graders: optional(bool),
  grader_comments_visible_to_graders: optional(bool),
  grader_names_visible_to_final_grader: optional(bool),
};
export type ModerationGiven = Shape<typeof moderationFields>;

type Options = Readonly<Record<string, unknown>>;

/** Whether the number of graders and the final grader have to be checked. */
export const changesModeration = (given: ModerationGiven): boolean =>
  Object.keys(moderationFields).some((name) => lookUp<unknown>(given, name) !== undefined);

/** Active instructors of the course; `may_select` is false where an account has taken the permission from the role. */
export const instructorsOf = (db: Database, course: CourseContext, isAsked: boolean) => {
  const chain = JSON.stringify(course.chain);
  const denied: SQL = sql`exists (select 1 from role_overrides o where o.role_id = e.role_id and o.permission = 'select_final_grade' and o.enabled = 0 and o.account_id in (select value from json_each(${chain})))`;
  return db.build.all<{ user_id: number; may_select: number }>(
    sql`select e.user_id as user_id, max(not ${denied}) as may_select from enrollments e where e.course_id = ${course.id} and ${isActiveGrader('e')} and ${isAsked ? 1 : 0} group by e.user_id`,
  );
};
export type Instructors = ResultOf<ReturnType<typeof instructorsOf>>;

/** The settings after the change; those of an assignment that is not moderated are reset. */
export function moderationAfter(given: ModerationGiven, options: Options = {}): Moderation {
  const before = moderationOf(options);
  const sent = Object.fromEntries(
    Object.keys(moderationFields).flatMap((name) => {
      const value = lookUp<unknown>(given, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const after = { ...before, ...sent } as Moderation;
  return after.moderated_grading ? { ...after, grader_count: after.grader_count ?? 0 } : unmoderated;
}

/** @throws Problem 400 for too many or no graders, or a final grader who may not select grades */
export function checkModeration(given: ModerationGiven, options: Options, instructors: Instructors): void {
  if (!changesModeration(given)) return;
  const { moderated_grading, grader_count, final_grader_id } = moderationAfter(given, options);
  if (!moderated_grading) return;
  const most = mostGraders(instructors.length);
  if (grader_count < 1 || grader_count > most) throw invalid('grader_count', 'invalid', `must be between 1 and ${most}`);
  if (final_grader_id !== null && !instructors.some((one) => one.user_id === final_grader_id && one.may_select === 1))
    throw invalid('final_grader_id', 'invalid', 'is not an active instructor of the course who may select final grades');
}
