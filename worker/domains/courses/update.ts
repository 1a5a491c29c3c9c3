// Course updates: who may make which changes; changes of state go through the roster's Durable Object.

import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { above } from '../../contexts/account_tree';
import { actedBy, actorOf } from '../../contexts/acting';
import type { CourseContext } from '../../contexts/course';
import { adminMay, type Institution } from '../../contexts/institution';
import { permissions } from '../../contexts/permissions';
import { idOf } from '../../contexts/references';
import { may } from '../../contexts/rights';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { found, notFound, problem, unauthorized } from '../../http/problem';
import { one, type Reply, settled, write } from '../../http/reply';
import { isPeriodClosed } from '../../rules/grading_periods';
import { accounts } from '../accounts/table';
import { blueprintSettingsAfter } from '../blueprint_templates/restrictions';
import { rosterOf, rosterRequestIn, throughRoster } from '../enrollments/roster/call_roster';
import { files } from '../files/table';
import { role_overrides } from '../roles/table';
import { newCode } from './creation';
import { type BlueprintGiven, type CourseGiven, type CourseRights, courseChangesOf, weightingOf, withKeptSyllabus } from './input';
import { type CourseRequest, courseRefusals, type FurtherChanges, furtherColumns, furtherEffects } from './lifecycle/lifecycle_turn';
import { type CourseTransition, courseEvents, mayMove } from './lifecycle/moves';
import { itself } from './policy';
import { courses } from './table';

export const rightsOver = (call: Call, course: CourseContext): CourseRights => ({
  sis: course.can('manage_sis'),
  quota: course.can('manage_storage_quotas'),
  terms: course.can('manage_courses_admin'),
  visibility: course.can('manage_course_visibility'),
  blueprint: course.can('manage_master_courses'),
  posting: course.can('manage_grades'),
  rename: course.isAdmin || call.institution.root.settings.prevent_course_renaming_by_teachers !== true,
});

/** Applies an event and the other changes through the roster's Durable Object. */
export async function changeThroughRoster(
  call: Call,
  course: CourseContext,
  event: CourseTransition,
  given: CourseGiven,
  { further = {}, response }: { further?: FurtherChanges; response?: { json: unknown } } = {},
): Promise<void> {
  if (!mayMove(course, event)) throw unauthorized();
  const request: CourseRequest = {
    ...rosterRequestIn(course.id, call),
    event,
    given,
    rights: rightsOver(call, course),
    before: { restrict_enrollments_to_course_dates: course.restrict_enrollments_to_course_dates, workflow_state: course.workflow_state },
    further,
    code: newCode(),
    response,
  };
  await throughRoster<null>(call, rosterOf(call, course.id).changeCourse(request));
}

const isEvent = (given: unknown): given is CourseTransition => courseEvents.includes(given as CourseTransition);

interface Given {
  readonly course?: CourseGiven;
  readonly offer?: boolean;
  readonly override_sis_stickiness?: boolean;
}

/** Request fields whose sticky counterpart has another name. */
const fieldOf: Readonly<Record<string, string>> = { term_id: 'enrollment_term_id', conclude_at: 'end_at' };

/** Whether a field was changed by hand and the caller does not override stickiness. Moving the course is always applied. */
const stuckIn =
  ({ stuck_sis_fields }: CourseContext, { override_sis_stickiness }: Given) =>
  (name: string): boolean =>
    override_sis_stickiness === false && (stuck_sis_fields ?? '').includes(`,${lookUp(fieldOf, name) ?? name},`);

/** Scores in a closed grading period stay as they are, except for account admins. */
const isAnyClosed = ({ now }: Call, { grading: { periods }, isAdmin }: CourseContext): boolean =>
  !isAdmin && periods.some((period) => isPeriodClosed(period, now));

export async function updateOf(call: Call, course: CourseContext, params: Given): Promise<Reply> {
  const { event: asked = params.offer ? 'offer' : undefined, ...sent } = params.course ?? {};
  const asSent = withKeptSyllabus(sent, call);
  if (course.workflow_state === 'deleted' && asked !== 'undelete') throw notFound();
  const event = isEvent(asked) ? asked : undefined;
  if (asked !== undefined && !event) throw problem(400, 'Invalid event');
  const names = Object.entries(asSent).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const isAllowed =
    (names.length === 0 && (event !== undefined || may('update', call))) ||
    may('update', call) ||
    (names.every((name) => name === 'syllabus_body') && course.can('manage_course_content_edit'));
  if (!isAllowed) throw unauthorized();
  const weighs = weightingOf(sent);
  if (weighs !== undefined && weighs !== course.apply_assignment_group_weights && isAnyClosed(call, course)) throw unauthorized();
  const isStuck = stuckIn(course, params);
  const given: CourseGiven = Object.fromEntries(Object.entries(asSent).filter(([name]) => !isStuck(name)));
  const result = one(rows(courses, { where: itself(course) }));
  const moved = await checked(call, course, given);
  const mayBind = course.can('manage_master_courses');
  const locks = mayBind ? blueprintSettingsAfter(course.blueprint_settings, sent as BlueprintGiven) : undefined;
  const further: FurtherChanges = {
    ...(moved !== undefined && { account_id: moved }),
    ...(given.blueprint !== undefined && mayBind && { is_blueprint: given.blueprint === true }),
    ...(locks && { blueprint_settings: locks }),
  };
  if (event) {
    await changeThroughRoster(call, course, event, given, { further });
    return settled(result);
  }
  const set = {
    ...courseChangesOf(given, rightsOver(call, course), course, newCode()),
    // Sticky dates are also kept when another field would clear them.
    ...Object.fromEntries(['start_at', 'end_at'].filter(isStuck).map((name) => [name, undefined])),
    ...furtherColumns(further),
    updated_at: call.now,
  };
  return write(
    [
      ...actedBy(call.db, actorOf(call.me), [call.db.build.update(courses).set(set).where(itself(course))]),
      ...furtherEffects(call.db, course.id, further),
    ],
    result,
    courseRefusals,
  );
}

/**
 * Reads what the change refers to: the target account, the image file.
 * @returns the id of the target account
 */
export async function checked(call: Call, course: CourseContext, given: CourseGiven): Promise<number | undefined> {
  const { db, me, institution } = call;
  const wanted =
    typeof given.account_id === 'string' && given.account_id !== String(course.account_id) ? idOf('account', given.account_id) : undefined;
  const pictures = [given.image_id, given.banner_image_id].filter((id): id is string => typeof id === 'string' && id !== '');
  if (!wanted && pictures.length === 0) return undefined;
  const target = wanted ?? sql`select 0`;
  const [targets, aboveIt, overrides, pictureRows] = await db.perform([
    db.build
      .select({ id: accounts.id })
      .from(accounts)
      .where(sql`${accounts.id} = (${target}) and ${accounts.workflow_state} <> 'deleted'`),
    db.build
      .select()
      .from(accounts)
      .where(sql`${accounts.id} in (${above(target)})`),
    db.build
      .select()
      .from(role_overrides)
      .where(sql`${role_overrides.account_id} in (${above(target)})`),
    db.build
      .select({ id: files.id })
      .from(files)
      .where(
        sql`${files.id} in (select value from json_each(${JSON.stringify(pictures.map(Number))})) and ${files.context_type} = 'Course' and ${files.context_id} = ${course.id} and ${files.workflow_state} = 'available'`,
      ),
  ]);
  if (pictureRows.length < new Set(pictures).size) throw problem(400, 'The image_id must be an active file of the course.');
  if (!wanted) return undefined;
  const { id } = found(targets[0]);
  const wider: Institution = { root: institution.root, accounts: new Map(aboveIt.map((account) => [account.id, account])), overrides };
  const chain = [...aboveIt.map((account) => account.id).filter((one) => one !== id), id];
  if (!course.can('manage_courses_admin') || !adminMay('manage_courses_admin', me, chain, wider)) throw unauthorized();
  // A move must not give the caller more permissions on the course than before.
  if ([...permissions.keys()].some((permission) => adminMay(permission, me, chain, wider) && !course.can(permission))) throw unauthorized();
  return id;
}
