// Users, as the place where they were read shows them.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Args, Graph, GraphItem, GraphPlace } from '../graph';
import { askedOf, contextPath } from '../graph';
import { legacyId } from '../ids';
import type { RestJson, RestQuery } from '../rest';
import type { TypeModule } from '../type_module';
import { escapedHtml, escapedKey, key, objectArg } from '../values';
import { coursesOfUser, enrollmentsOfUser } from './enrollments';
import { submissionItem } from './submission_lists';

const details = { include: ['email', 'avatar_url', 'uuid', 'first_name', 'last_name'] };

/** A user of a course or of the institution. @param json User or UserDisplay of REST; undefined for students who are anonymous to the caller */
export function userItem(graph: Graph, json: RestJson | null | undefined, place: GraphPlace = {}): GraphItem | null {
  if (!json || json.id === undefined || json.id === null) return null;
  const shown: RestJson = {
    ...json,
    ...(json.display_name !== undefined && { short_name: json.display_name }),
    ...(json.avatar_image_url !== undefined && { avatar_url: json.avatar_image_url }),
  };
  const whole =
    place.course === undefined
      ? { path: `/users/${json.id}/profile` }
      : { path: `/courses/${place.course}/users/${json.id}`, query: details };
  return graph.item('User', shown, place.course === undefined ? {} : { course: place.course }, whole);
}

const typesOf: Readonly<Record<string, string>> = {
  StudentEnrollment: 'student',
  TeacherEnrollment: 'teacher',
  TaEnrollment: 'ta',
  DesignerEnrollment: 'designer',
  ObserverEnrollment: 'observer',
  StudentViewEnrollment: 'student_view',
};
const sortsOf: Readonly<Record<string, string>> = { name: 'username', sis_id: 'sis_id', last_activity_at: 'last_login' };

/** What REST is asked for the users of a course. */
function courseUsersQuery(args: Args): RestQuery {
  const filter = objectArg(args.filter);
  const sort = objectArg(args.sort);
  const ids = [...((args.userIds ?? []) as unknown[]), ...((filter.userIds ?? []) as unknown[])].map((id) => legacyId(id, 'User') ?? 0);
  const types = (filter.enrollmentTypes ?? []) as string[];
  return {
    ...details,
    enrollment_state: filter.enrollmentStates ?? ['invited', 'creation_pending', 'active'],
    ...(types.length > 0 && { enrollment_type: types.map((type) => lookUp(typesOf, type)) }),
    ...(args.userIds || filter.userIds ? { user_ids: ids.length > 0 ? ids : [0] } : {}),
    ...(Array.isArray(filter.enrollmentRoleIds) ? { enrollment_role_id: filter.enrollmentRoleIds } : {}),
    ...(filter.searchTerm ? { search_term: filter.searchTerm } : {}),
    ...(filter.excludeTestStudents ? {} : { include: [...details.include, 'test_student'] }),
    ...(lookUp(sortsOf, String(sort.field)) && {
      sort: lookUp(sortsOf, String(sort.field)),
      order: sort.direction === 'descending' ? 'desc' : 'asc',
    }),
  };
}

/** The users of a course. */
export const courseUsersConnection = (course: GraphItem, args: Args, graph: Graph) =>
  graph.connection(
    args,
    `/courses/${course.json.id}/users`,
    courseUsersQuery(args),
    (json) => userItem(graph, json, { course: course.json.id as number }) as GraphItem,
  );

/** How many users the same list has; null where it is not permitted. */
export async function courseUsersCount(course: GraphItem, args: Args, graph: Graph): Promise<number | null> {
  const all = await graph.all(`/courses/${course.json.id}/users`, { ...courseUsersQuery(args), include: [] });
  return all ? all.length : null;
}

/** The parts of a name as it is sorted, "Last, First". */
function partsOf(sortable: unknown): { readonly first: string | null; readonly last: string | null } {
  if (typeof sortable !== 'string') return { first: null, last: null };
  const [last = '', ...rest] = sortable.split(',');
  return rest.length === 0 ? { first: last.trim(), last: '' } : { first: rest.join(',').trim(), last: last.trim() };
}

/** A submission of a list over all courses, in the course that its assignment names. */
const gradedItem = (graph: Graph, json: RestJson): GraphItem => {
  const course = objectArg(json.assignment).course_id as number | undefined;
  return submissionItem(graph, json, course);
};

const isSelf = (user: GraphItem, graph: Graph) => user.json.id === graph.call.me.id;

export const userObjects: TypeModule = {
  sdl: `
enum CourseFilterableEnrollmentState {
  invited
  creation_pending
  active
  inactive
  completed
  rejected
}
enum CourseUsersSortField {
  name
  sis_id
  login_id
  section_name
  role
  last_activity_at
  total_activity_time
}
input CourseUsersSortInputType {
  field: CourseUsersSortField
  direction: OrderDirection
}
input CourseUsersFilter {
  userIds: [ID!]
  enrollmentStates: [CourseFilterableEnrollmentState!]
  enrollmentTypes: [EnrollmentType!]
  enrollmentRoleIds: [ID!]
  excludeTestStudents: Boolean
  searchTerm: String
}
input ViewableSubmissionsFilter {
  gradedSubmissionsOnly: Boolean
}
input EnrollmentsSortInputType {
  field: EnrollmentsSortField
  direction: OrderDirection
}
enum EnrollmentsSortField {
  last_activity_at
}
type User implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  name: HtmlEncodedString
  shortName: HtmlEncodedString
  sortableName: HtmlEncodedString
  firstName: HtmlEncodedString
  lastName: HtmlEncodedString
  email: String
  loginId: String
  sisId: String
  integrationId: String
  uuid: String
  pronouns: String
  avatarUrl: URL
  htmlUrl(courseId: ID): URL
  enrollments(courseId: ID, currentOnly: Boolean, excludeConcluded: Boolean, orderBy: [String!], sort: EnrollmentsSortInputType): [Enrollment!]!
  courseRoles(courseId: String, roleTypes: [String!], builtInOnly: Boolean = true): [String!]
  groups: [Group!]
  favoriteCoursesConnection: CourseConnection
  favoriteGroupsConnection: GroupConnection
  conversationsConnection(scope: String, filter: [String!]): ConversationParticipantConnection
  submissionsConnection(courseId: ID!, filter: SubmissionFilterInput): SubmissionConnection
  viewableSubmissionsConnection(filter: ViewableSubmissionsFilter): SubmissionConnection
}
`,
  resolvers: {
    User: {
      name: async (user, _args, graph) => escapedHtml(user.json.name ?? user.json.display_name ?? (await graph.value(user, 'name'))),
      shortName: escapedKey('short_name'),
      sortableName: escapedKey('sortable_name'),
      firstName: async (user, _args, graph) => escapedHtml(user.json.first_name ?? partsOf(await graph.value(user, 'sortable_name')).first),
      lastName: async (user, _args, graph) => escapedHtml(user.json.last_name ?? partsOf(await graph.value(user, 'sortable_name')).last),
      email: async (user, _args, graph) =>
        (await graph.value(user, 'email')) ?? (isSelf(user, graph) ? graph.value(user, 'primary_email') : null),
      sisId: key('sis_user_id'),
      htmlUrl: (user, args, graph) => {
        const course = legacyId(args.courseId, 'Course') ?? user.place.course;
        return course === undefined ? null : `${graph.call.origin}/courses/${course}/users/${user.json.id}`;
      },
      enrollments: (user, args, graph) => enrollmentsOfUser(user, args, graph),
      async courseRoles(user, args, graph) {
        const course = legacyId(args.courseId, 'Course') ?? user.place.course;
        if (course === undefined) return null;
        const all = await graph.some(`/courses/${course}/enrollments`, { user_id: user.json.id });
        const wanted = args.roleTypes as string[] | undefined;
        const names = (all ?? []).map(({ type, role }) => String(args.builtInOnly === false ? role : type));
        return all && [...new Set(names)].filter((name) => !wanted || wanted.includes(name));
      },
      async groups(user, _args, graph) {
        if (!isSelf(user, graph)) return null;
        const all = await graph.all('/users/self/groups');
        return all?.map((json) => graph.item('Group', json, { group: json.id as number }));
      },
      favoriteCoursesConnection: (user, args, graph, info) => coursesOfUser(user, args, graph, askedOf(info)),
      favoriteGroupsConnection: (user, args, graph) =>
        isSelf(user, graph)
          ? graph.connection(args, '/users/self/favorites/groups', {}, (json) => graph.item('Group', json, { group: json.id as number }))
          : null,
      conversationsConnection: (user, args, graph) =>
        isSelf(user, graph)
          ? graph.connection(
              args,
              '/conversations',
              { ...(args.scope ? { scope: args.scope } : {}), ...(args.filter ? { filter: args.filter } : {}) },
              (json) => graph.item('ConversationParticipant', { ...json, user_id: user.json.id }),
            )
          : null,
      viewableSubmissionsConnection: (user, args, graph) =>
        graph.connection(args, `/users/${user.json.id}/graded_submissions`, { include: ['assignment'] }, (json) => gradedItem(graph, json)),
      submissionsConnection: (user, args, graph) => {
        const course = legacyId(args.courseId, 'Course') ?? 0;
        return graph.connection(args, `${contextPath({ course })}/students/submissions`, { student_ids: [user.json.id] }, (json) =>
          graph.item('Submission', json, { course, assignment: json.assignment_id as number }),
        );
      },
    },
  },
  loaders: {
    async User(id, graph) {
      const own = await graph.rest.read(`/users/${id}`);
      const json = (own ?? (await graph.rest.read(`/users/${id}/profile`)))?.body as RestJson | undefined;
      return json ? graph.item('User', json, {}, { path: `/users/${id}/profile` }) : null;
    },
  },
};
