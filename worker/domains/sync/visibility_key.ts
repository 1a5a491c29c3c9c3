// Visibility keys: what a caller may see in a course or group, in parts, each with the kinds that are sent again when it changes.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { CourseContext } from '../../contexts/course';
import type { GroupContext } from '../../contexts/group';
import { adminMay, chainOf, type Institution, runsTheService } from '../../contexts/institution';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { groupForum } from '../discussion_topics/place';
import { forumOf } from '../discussion_topics/rights';
import { fileContextOf } from '../files/place';
import { wikiOf } from '../pages/wiki';
import { listsQuizzes } from '../quizzes/policy';
import type { sections } from '../sections/table';
import { mayRenameThemselves, showsAvatars } from '../users/json';
import type { Home, VisibilityKey } from './cursor';
import { partOfWork } from './graded_walks';

/** Permissions on which the fields of resources depend. */
const telling = [
  'manage_assignments_edit',
  'manage_course_content_edit',
  'manage_files_add',
  'manage_grades',
  'manage_sis',
  'moderate_forum',
  'post_to_forum',
  'read_announcements',
  'read_forum',
  'read_sis',
  'view_all_grades',
];

/** The kinds that show in which grading period they are, or whether it is closed. */
const ofPeriods: readonly Kind[] = ['assignment', 'submission', 'discussion_topic'];

/** The kinds of each part of a course's visibility key; the first part concerns all kinds. */
const partsOfCourse: readonly (readonly Kind[])[] = [
  [],
  ['course'],
  ['enrollment'],
  ['discussion_topic'],
  ['folder', 'file'],
  ['page'],
  ofPeriods,
  ['peer_review'],
  ['quiz', 'quiz_submission'],
  ['outcome_group', 'outcome_link', 'outcome_result', 'poll_session'],
  ['submission'],
  ['enrollment'],
];
const partsOfOwn: readonly (readonly Kind[])[] = [[], ['user'], ['account_notification']];
/** Account notifications are in a scope for everyone; the third part decides who sees them. */
export const announced = 2;

/** Of a course: what only staff see, which is in a scope of its own. No part of the key decides it; it is sent with the first part. */
export const forStaff = 7;

/** A group's key has one part, for all kinds. */
export const kindsOf = (home: Home, part: number): readonly Kind[] => (home === 0 ? partsOfOwn : partsOfCourse)[part] ?? [];

/** FNV-1a of a value's JSON: short, because cursors are sent in URLs. */
function short(value: unknown): string {
  let hash = 0x811c9dc5;
  for (const message of JSON.stringify(value)) hash = Math.imul(hash ^ message.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}

interface Around {
  /** Includes the course's accounts. */
  readonly institution: Institution;
  /** Enrollments of observed students: their sections decide which assignments are visible. */
  readonly observed: readonly { readonly course_id: number; readonly standing: string }[];
  readonly sections: readonly RowOf<typeof sections>[];
  readonly periods: readonly { readonly id: number; readonly course_id: number | null }[];
  /** The courses whose students' work the caller receives. */
  readonly graded: ReadonlySet<number>;
}

/** Callers with equal keys see the same content of a course; includes the permissions of the caller's roles there. */
export function visibilityKeyOf(
  course: CourseContext,
  { institution, observed, periods, sections: rows, graded }: Around,
  { me, now }: Call,
): VisibilityKey {
  const accounts = course.chain.flatMap((id) => institution.accounts.get(id) ?? []);
  const { settings } = course;
  const mySections = rows.filter(({ id }) => course.mine.some((one) => one.course_section_id === id));
  const forum = forumOf(course, me, institution);
  const wiki = wikiOf({ course, me, now });
  const place = fileContextOf({ course, user: undefined, me });
  const itsPeriods =
    periods.find(({ course_id }) => course_id === course.id) ??
    periods.find(({ id }) => id === course.term.grading_period_group_id) ??
    null;
  const parts = [
    [
      course.readsAsAdmin,
      course.participates,
      course.workflow_state,
      telling.map((permission) => course.can(permission)),
      course.mine.map((one) => [
        one.type,
        one.role_id,
        one.course_section_id,
        one.observed_user_id,
        one.effective,
        one.limit_privileges_to_course_section,
      ]),
      observed.filter(({ course_id }) => course_id === course.id).map(({ standing }) => standing),
    ],
    [
      accounts.map((account) => [account.default_time_zone, account.default_storage_quota_mb]),
      course.term,
      course.mine.map((one) => [one.role.name, one.enrollment_state]),
      itsPeriods,
    ],
    [
      course.mine.map((one) => one.role.name),
      mySections.map((one) => [one.sis_section_id, one.integration_id, one.workflow_state]),
      accounts.at(-1)?.sis_account_id,
      [course.sis_course_id, course.integration_id, settings.hide_final_grades, settings.hide_sections_on_course_users_page],
    ],
    forum,
    place?.lists,
    [wiki.lists, wiki.canUpdate],
    itsPeriods,
  ].map(short);
  // The part for staff is not in the key. Cursors from before there were quizzes in the feed lack the last part, and get all quizzes.
  const ofQuizzes = [listsQuizzes(course), course.can('manage_assignments_add'), course.can('manage_assignments_delete')];
  // The same holds for outcomes and polls.
  const managed = (id: number) => adminMay('manage_outcomes', me, chainOf(id, institution), institution);
  const ofOutcomes = [course.can('manage_outcomes'), course.chain.map(managed), runsTheService(me, institution)];
  // Empty without graded work, so that adding and removing it is a change from and to nothing.
  const isGraded = graded.has(course.id);
  const ofStudents = ['read_reports', 'manage_user_logins', 'view_user_logins'].map((permission) => course.can(permission));
  const ofGraded = [
    [course.sectionLimit, course.isAdmin],
    [ofStudents, showsAvatars({ institution })],
  ].map((part) => (isGraded ? short(part) : ''));
  return [...parts, '', short(ofQuizzes), short(ofOutcomes), ...ofGraded].join('.');
}

/** Whether a course with this key had graded work. */
export const hadGradedWork = (key: VisibilityKey | undefined): boolean => Boolean(key?.split('.')[partOfWork]);

/** Of a group, which is small and sent again as a whole. */
export const visibilityKeyOfGroup = (group: GroupContext, { me, now, institution }: Call): VisibilityKey =>
  short([
    group.updates,
    [...telling, 'manage_files_edit', 'manage_files_delete', 'manage_wiki_create'].map((permission) => group.can(permission)),
    forumOf(groupForum(group), me, institution),
    // A course discussion's locks apply to its group topics.
    group.course && [
      group.course.readsAsAdmin,
      group.course.can('moderate_forum'),
      group.course.mine.map((one) => [one.type, one.course_section_id, one.observed_user_id, one.effective]),
    ],
    wikiOf({ course: undefined, group, me, now }).canUpdate,
    fileContextOf({ course: undefined, user: undefined, group, me })?.wantsUsageRights,
  ]);

const aboutPeople = ['manage_sis', 'manage_user_logins', 'read_email_addresses', 'read_sis', 'view_user_logins'];

/** The audience of account notifications that the caller is in: roles in accounts and their courses. */
const standsIn = ({ me, institution }: Call, courses: readonly CourseContext[]) => [
  ...new Set(
    [
      ...me.adminLinks.map(({ account_id, role }) => `${chainOf(account_id, institution)} ${role.id}`),
      ...courses.flatMap(({ chain, mine }) =>
        mine.filter(({ enrollment_state }) => enrollment_state !== 'inactive').map(({ role_id }) => `${chain} ${role_id}`),
      ),
    ].sort(),
  ),
];

/** For the caller's own items: administrators' fields, the user's permissions on their profile, and account notifications. */
export const ownVisibilityKey = (call: Call, courses: readonly CourseContext[]): VisibilityKey =>
  [
    null,
    [
      mayRenameThemselves(call),
      aboutPeople.map((permission) => adminMay(permission, call.me, [call.institution.root.id], call.institution)),
    ],
    standsIn(call, courses),
  ]
    .map(short)
    .join('.');

/** The parts in which two keys differ; only the first part, if that one differs. */
export function changedParts(before: VisibilityKey, now: VisibilityKey): readonly number[] {
  const [old, fresh] = [before.split('.'), now.split('.')];
  return old[0] === fresh[0] ? fresh.flatMap((part, at) => (part === (old[at] ?? '') ? [] : [at])) : [0];
}
