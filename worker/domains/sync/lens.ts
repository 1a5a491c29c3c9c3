// Through which eyes a caller sees a course or group, in parts: what changes with each is told again when it changes.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { CourseContext } from '../../contexts/course';
import type { GroupContext } from '../../contexts/group';
import { adminMay, chainOf, type Institution } from '../../contexts/institution';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { groupForum } from '../discussion_topics/place';
import { forumOf } from '../discussion_topics/rights';
import { placeOf } from '../files/place';
import { wikiOf } from '../pages/wiki';
import type { sections } from '../sections/table';
import { mayRenameThemselves } from '../users/json';
import type { Home, Lens } from './cursor';

/** Permissions by which resources show more or less. */
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

/** The kinds that the parts of a course's lens are about; the first part is about all. */
const partsOfCourse: readonly (readonly Kind[])[] = [[], ['course'], ['enrollment'], ['discussion_topic'], ['folder', 'file'], ['page']];
const partsOfOwn: readonly (readonly Kind[])[] = [[], ['user'], ['account_notification']];
/** What accounts announce is in a scope of all, and for those whom the third part is about. */
export const announced = 2;

/** A group has one part, which is about all of it. */
export const kindsOf = (home: Home, part: number): readonly Kind[] => (home === 0 ? partsOfOwn : partsOfCourse)[part] ?? [];

/** FNV-1a of a value's JSON: short, because cursors travel in addresses. */
function short(value: unknown): string {
  let hash = 0x811c9dc5;
  for (const letter of JSON.stringify(value)) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}

export interface Around {
  /** With the accounts of the course. */
  readonly institution: Institution;
  /** Where the people whom the caller observes are enrolled: assignments are theirs by their sections. */
  readonly observed: readonly { readonly course_id: number; readonly standing: string }[];
  readonly sections: readonly RowOf<typeof sections>[];
}

/** Two equal lenses see the same of a course; what the caller's roles may do there is part of it. */
export function lensOf(course: CourseContext, { institution, observed, sections: rows }: Around, { me, now }: Call): Lens {
  const accounts = course.chain.flatMap((id) => institution.accounts.get(id) ?? []);
  const { settings } = course;
  const mySections = rows.filter(({ id }) => course.mine.some((one) => one.course_section_id === id));
  const forum = forumOf(course, me, institution);
  const place = placeOf({ course, user: undefined, me });
  return [
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
    ],
    [
      course.mine.map((one) => one.role.name),
      mySections.map((one) => [one.sis_section_id, one.integration_id, one.workflow_state]),
      accounts.at(-1)?.sis_account_id,
      [course.sis_course_id, course.integration_id, settings.hide_final_grades, settings.hide_sections_on_course_users_page],
    ],
    forum,
    place?.lists,
    wikiOf({ course, me, now }).lists,
  ]
    .map(short)
    .join('.');
}

/** Of a group: it is small, and told again as a whole. */
export const lensOfGroup = (group: GroupContext, { me, now, institution }: Call): Lens =>
  short([
    group.updates,
    [...telling, 'manage_files_edit', 'manage_files_delete', 'manage_wiki_create'].map((permission) => group.can(permission)),
    forumOf(groupForum(group), me, institution),
    // What holds the discussions of the course holds their parts here.
    group.course && [
      group.course.readsAsAdmin,
      group.course.can('moderate_forum'),
      group.course.mine.map((one) => [one.type, one.course_section_id, one.observed_user_id, one.effective]),
    ],
    wikiOf({ course: undefined, group, me, now }).canUpdate,
    placeOf({ course: undefined, user: undefined, group, me })?.wantsUsageRights,
  ]);

const aboutPeople = ['manage_sis', 'manage_user_logins', 'read_email_addresses', 'read_sis', 'view_user_logins'];

/** For whom accounts announce something: whoever holds a role in them, or in a course of theirs. */
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

/** Of the caller's own things: what administrators see of themselves, what people may change of theirs, what is announced to them. */
export const ownLens = (call: Call, courses: readonly CourseContext[]): Lens =>
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

/** The parts in which two lenses differ; the whole, where the first part does. */
export function changedParts(before: Lens, now: Lens): readonly number[] {
  const [old, fresh] = [before.split('.'), now.split('.')];
  return old[0] === fresh[0] ? fresh.flatMap((part, at) => (part === old[at] ? [] : [at])) : [0];
}
