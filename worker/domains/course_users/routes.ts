// Users of a course: every endpoint, in the order of the API reference.

import { LastAttended } from '@carrel/shared/resources/course_user';
import { bool, choice, choices, commaList, idField, optional, referenceTo, searchTerm, text, time } from '@carrel/shared/wire/fields';
import { and, eq, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isActiveStaff } from '../../contexts/predicates';
import { idOf } from '../../contexts/references';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { get, put } from '../../http/endpoint';
import { ascending, firstPageSql, type Listing, type Order, rows } from '../../http/listing';
import { found, problem } from '../../http/problem';
import { all, answer, list, one, write } from '../../http/reply';
import { enrollmentWords } from '../courses/own_courses';
import { readsRoster, visibleEnrollments } from '../enrollments/policy';
import { enrollmentStates, enrollments } from '../enrollments/table';
import { user } from '../users/json';
import { fewAtWork, finding } from '../users/search/scan';
import { users } from '../users/table';
import { courseUser, include, recentStudent } from './json';
import { courseUsersOf, type PeopleFilters, waysTo } from './policy';

export const about = { title: 'Course users', description: 'The users of a course, with their enrollments.' };

const people = {
  search_term: searchTerm,
  sort: choice('username', 'last_login', 'email', 'sis_id'),
  order: choice('asc', 'desc'),
  enrollment_type: choices(...enrollmentWords, 'student_view'),
  enrollment_role: optional(text),
  enrollment_role_id: optional(idField('role')),
  enrollment_state: choices(...enrollmentStates),
  include_inactive: optional(bool),
  user_id: optional(referenceTo('user')),
  user_ids: optional(commaList(referenceTo('user'))),
  user_uuids: optional(commaList(text)),
};

interface SortKey {
  /** SQL over the enrollment with this alias; for `enrollments` also over its user. */
  readonly key: (enrollment: string) => SQL;
  /** The permission to see the value, because a sort order discloses it. */
  readonly shownBy: readonly string[];
}

const byName = (enrollment: string): SQL => sql.raw(`${enrollment}.sortable_name`);
const sorts = new Map<string, SortKey>([
  // Of the user: in the enrollment, every sign-in would write it to each of the user's courses.
  [
    'last_login',
    {
      key: (e) =>
        e === 'enrollments' ? sql`users.sort_last_login` : sql.raw(`(select u.sort_last_login from users u where u.id = ${e}.user_id)`),
      shownBy: ['read_reports'],
    },
  ],
  ['email', { key: (e) => sql.raw(`${e}.sort_email`), shownBy: ['read_email_addresses'] }],
  ['sis_id', { key: (e) => sql.raw(`${e}.sort_sis_id`), shownBy: ['read_sis', 'manage_sis'] }],
]);

/** A sort by a value that the caller may not see is ignored. */
const withoutHiddenSort = <F extends PeopleFilters>(course: CourseContext, filters: F): F =>
  (sorts.get(filters.sort ?? '')?.shownBy ?? []).every((permission) => !course.can(permission)) ? { ...filters, sort: undefined } : filters;

interface Sorting {
  readonly order?: string;
  /** Start with the page that contains this user. */
  readonly user_id?: string;
}

/** The list from this user on; from the beginning when the user is not in the course. */
function fromOn(course: CourseContext, reference: string, key: SortKey['key'], isDescending: boolean): SQL {
  const theirs = (column: SQLWrapper) =>
    sql`(select ${column} from enrollments jump where jump.user_id = (${idOf('user', reference)}) and jump.course_id = ${course.id} and jump.enrollment_state not in ('deleted', 'rejected') order by jump.id limit 1)`;
  const column = key('jump');
  const own = key('enrollments');
  const [name, id] = isDescending
    ? [sql`coalesce(${theirs(column)}, char(1114111))`, sql`coalesce(${theirs(sql`jump.user_id`)}, 1e18)`]
    : [sql`coalesce(${theirs(column)}, '')`, sql`coalesce(${theirs(sql`jump.user_id`)}, 0)`];
  const beyond = sql.raw(isDescending ? '<=' : '>=');
  return sql`${own} ${beyond} ${name} and (${own}, enrollments.user_id) ${beyond} (${name}, ${id})`;
}

const everybody = sql`enrollments cross join users`;
const isTheirs = sql`users.id = enrollments.user_id`;

function listing(
  course: CourseContext,
  given: PeopleFilters & Sorting,
  call: Pick<Call, 'course' | 'include' | 'me' | 'page'>,
  more?: SQL,
): Listing {
  const filters = withoutHiddenSort(course, given);
  // Non-students are few: they are found by type and then sorted. The unary plus keeps SQLite from walking all names.
  const isFew = filters.enrollment_type?.length && !filters.enrollment_type.includes('student');
  const key = sorts.get(filters.sort ?? '')?.key ?? byName;
  const by = isFew ? sql`+${key('enrollments')}` : key('enrollments');
  const isDescending = filters.order === 'desc';
  const order: Order[] = [by, enrollments.user_id].map((one) => ({ by: one, descending: isDescending }));
  const from = filters.user_id === undefined ? undefined : fromOn(course, filters.user_id, key, isDescending);
  const chosen = sql`${and(courseUsersOf(course, filters, call), from, more)}`;
  const term = filters.search_term?.trim();
  // Without an index in the list's order everybody is sorted, so the page is chosen before logins and addresses are read.
  const isSorted = filters.sort === 'last_login';
  const ways = term ? waysTo(term, call, chosen) : isSorted ? [{ from: everybody, where: sql`${isTheirs} and ${chosen}` }] : undefined;
  return rows(users, {
    from: enrollments,
    join: (select) => select.innerJoin(users, eq(users.id, enrollments.user_id)),
    where: ways ? isInSelect(enrollments.id, firstPageSql(ways, sql`enrollments.id`, order, call.page)) : chosen,
    order,
  });
}

/** Callers without `read_roster` see themselves and the students they observe. */
const mayList = ({ course, me }: Call): boolean =>
  me.isKnown && course?.canRead === true && (readsRoster(course) || course.observedIds.length > 0);

const listed = { can: mayList, params: people, include, returns: [courseUser], unlinked: ['user_id'] } as const;

function listOfPeople(
  call: Pick<Call, 'course' | 'include' | 'me' | 'tree' | 'page'> & {
    course: CourseContext;
    params: PeopleFilters & Sorting;
  },
) {
  const { course, params, tree } = call;
  // Later pages continue from the bookmark.
  return list(listing(course, tree.page === undefined ? params : { ...params, user_id: undefined }, call));
}

/** Users who work on any course, except the caller. */
const receivesContent = (me: number): SQL =>
  sql`users.workflow_state <> 'deleted' and users.id <> ${me} and (exists (select 1 from admins a where a.user_id = users.id and a.workflow_state = 'active')
    or exists (select 1 from enrollments e where e.user_id = users.id and ${isActiveStaff('e')} and e.course_id in (select c.id from courses c where c.id = e.course_id and c.workflow_state <> 'deleted')))`;

const asStudents = { enrollment_type: ['student'] } as const satisfies PeopleFilters;

export const courseUserRoutes = [
  get('/courses/:course_id/users', { ...listed, summary: 'List users of a course' }, listOfPeople),
  get('/courses/:course_id/search_users', { ...listed, summary: 'Search users of a course' }, listOfPeople),

  get('/courses/:course_id/users/:user_id', { can: mayList, include, returns: courseUser, summary: 'Get a user of a course' }, (call) => {
    const { course, user } = call;
    const states = ['active', 'invited', 'creation_pending', 'completed', ...(course.readsAsAdmin ? (['inactive'] as const) : [])] as const;
    const filters: PeopleFilters = { enrollment_state: states, ...(user.is_test_student && { enrollment_type: ['student_view'] }) };
    // Without a sort order, so that SQLite does not walk the roster by name.
    return one({ ...listing(course, filters, call, eq(enrollments.user_id, user.id)), order: undefined });
  }),

  get('/courses/:course_id/students', { can: 'read_roster', returns: [courseUser], summary: 'List students of a course' }, (call) =>
    all(listing(call.course, asStudents, call)),
  ),

  get(
    '/courses/:course_id/recent_students',
    { can: 'read_reports', returns: [recentStudent], summary: 'List recently signed-in students of a course' },
    (call) => list(listing(call.course, { ...asStudents, sort: 'last_login', order: 'desc' }, call)),
  ),

  get(
    '/courses/:course_id/content_share_users',
    {
      can: 'read_as_admin',
      params: { search_term: searchTerm },
      include: ['avatar_url'],
      returns: [user],
      summary: 'Search users to send content to',
    },
    (call) => {
      const term = call.params.search_term?.trim();
      if (!term) throw problem(400, 'search_term is missing');
      const order = ascending(users.sort_name, users.same_id);
      const chosen = receivesContent(call.me.id);
      const { ids, upTo } = finding({ term, seen: ['name', 'sortable_name'], isByName: true, chosen, few: [fewAtWork] }, order, call.page);
      return list(rows(users, { where: isInSelect(users.id, ids), order, once: true, upTo }));
    },
  ),

  put(
    '/courses/:course_id/users/:user_id/last_attended',
    {
      can: ['view_all_grades', 'manage_grades'],
      params: { date: time },
      returns: { json: LastAttended },
      summary: 'Set the last attended date of a student',
    },
    async ({ db, course, user, params, now, me }) => {
      const { date } = params;
      const theirs = and(visibleEnrollments(course, me), eq(enrollments.user_id, user.id), ne(enrollments.enrollment_state, 'deleted'));
      const [[enrolled]] = await db.perform([db.build.select({ id: enrollments.id }).from(enrollments).where(theirs).limit(1)]);
      found(enrolled);
      return write([db.build.update(enrollments).set({ last_attended_at: date, updated_at: now }).where(theirs)], answer({ date }));
    },
  ),
];
