// Enrollments with their grades, and sections.

import { eq } from 'drizzle-orm';
import { enrollments } from '../../domains/enrollments/table';
import type { Args, Graph, GraphItem, GraphPlace } from '../graph';
import { legacyId } from '../ids';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { key, objectArg } from '../values';

const anyState = ['active', 'invited', 'creation_pending', 'inactive', 'completed', 'rejected'];

export const enrollmentItem = (graph: Graph, json: RestJson, place: GraphPlace = {}): GraphItem =>
  graph.item('Enrollment', json, { ...place, course: json.course_id as number });

const idsOf = (given: unknown, type: string): number[] | undefined =>
  Array.isArray(given) ? given.map((id) => legacyId(id, type) ?? 0) : undefined;

/** The enrollments of a course or section. @param path of it */
export function enrollmentsOf(path: string, args: Args, graph: Graph, place: GraphPlace) {
  const filter = objectArg(args.filter);
  const users = idsOf(filter.userIds, 'User');
  const associated = idsOf(filter.associatedUserIds, 'User');
  const query = {
    ...(filter.types ? { type: filter.types } : {}),
    state: filter.states ?? ['active', 'invited', 'creation_pending', 'inactive', 'completed'],
    ...(users?.length === 1 && { user_id: users[0] }),
    include: ['can_be_removed'],
  };
  return graph.connection(
    args,
    `${path}/enrollments`,
    query,
    (json) => enrollmentItem(graph, json, place),
    users || associated
      ? (json) => (users?.includes(json.user_id as number) ?? true) && (associated?.includes(json.associated_user_id as number) ?? true)
      : undefined,
  );
}

/** The enrollments of a user: in the course of the argument, or in all that the caller may see. */
export async function enrollmentsOfUser(user: GraphItem, args: Args, graph: Graph): Promise<GraphItem[]> {
  const course = legacyId(args.courseId, 'Course');
  const id = user.json.id;
  const states = args.currentOnly ? ['active', 'invited'] : ['active', 'invited', ...(args.excludeConcluded ? [] : ['completed'])];
  const all =
    course === undefined
      ? ((await graph.all(`/users/${id}/enrollments`, { state: states })) ?? (await inSharedCourse(user, states, graph)))
      : await graph.all(`/courses/${course}/enrollments`, { user_id: id, state: states });
  const found = (all ?? []).map((json) => enrollmentItem(graph, json));
  const { field, direction } = objectArg(args.sort);
  if (field !== 'last_activity_at') return found;
  const sorted = found.sort((one, other) =>
    String(one.json.last_activity_at ?? '').localeCompare(String(other.json.last_activity_at ?? '')),
  );
  return direction === 'descending' ? sorted.reverse() : sorted;
}

const inSharedCourse = (user: GraphItem, state: string[], graph: Graph) =>
  user.place.course === undefined ? undefined : graph.all(`/courses/${user.place.course}/enrollments`, { user_id: user.json.id, state });

/** The favourites of the caller. */
export const coursesOfUser = (user: GraphItem, args: Args, graph: Graph, asked: ReadonlySet<string>) =>
  user.json.id === graph.call.me.id
    ? graph.connection(args, '/users/self/favorites/courses', asked.has('term') ? { include: ['term'] } : {}, (json) =>
        graph.item(
          'Course',
          json,
          { course: json.id as number },
          { path: `/courses/${json.id}`, query: { include: ['term', 'syllabus_body'] } },
        ),
      )
    : null;

/** The period that today is in; undefined without one. */
export async function periodOfToday(course: number, graph: Graph): Promise<RestJson | undefined> {
  const answer = await graph.rest.read(`/courses/${course}/grading_periods`);
  const periods = ((answer?.body as RestJson | undefined)?.grading_periods ?? []) as RestJson[];
  const { now } = graph.call;
  return periods.find(({ start_date, end_date }) => String(start_date) <= now && now <= String(end_date));
}

/** The grades of an enrollment in the period of the argument, or in the current one; null for all periods. */
async function gradesOf(enrollment: GraphItem, args: Args, graph: Graph): Promise<GraphItem | null> {
  const course = enrollment.place.course as number;
  const { id, user_id, grades } = enrollment.json;
  if (grades === undefined) return null;
  const asked =
    args.gradingPeriodId === undefined ? (await periodOfToday(course, graph))?.id : legacyId(args.gradingPeriodId, 'GradingPeriod');
  if (asked === undefined) return graph.item('Grades', { ...(grades as RestJson), enrollment: enrollment.json }, enrollment.place);
  const all = await graph.some(`/courses/${course}/enrollments`, {
    user_id,
    grading_period_id: asked,
    state: ['active', 'invited', 'inactive', 'completed'],
  });
  const own = all?.find((one) => one.id === id)?.grades as RestJson | undefined;
  return own ? graph.item('Grades', { ...own, grading_period_id: asked, enrollment: enrollment.json }, enrollment.place) : null;
}

const studentsOf = (section: GraphItem, state: string[], args: Args, graph: Graph) =>
  graph.connection(args, `/sections/${section.json.id}/enrollments`, { type: ['StudentEnrollment'], state }, (json) =>
    graph.item(
      'User',
      json.user as RestJson,
      { course: json.course_id as number },
      { path: `/courses/${json.course_id}/users/${json.user_id}` },
    ),
  );

export const enrollmentObjects: TypeModule = {
  sdl: `
enum EnrollmentType {
  DesignerEnrollment
  ObserverEnrollment
  StudentEnrollment
  StudentViewEnrollment
  TaEnrollment
  TeacherEnrollment
}
enum EnrollmentWorkflowState {
  active
  completed
  creation_pending
  deleted
  inactive
  invited
  rejected
}
enum GradesState {
  active
  deleted
}
input EnrollmentFilterInput {
  types: [EnrollmentType!]
  states: [EnrollmentWorkflowState!]
  associatedUserIds: [ID!]
  userIds: [ID!]
}
type Enrollment implements Node & Timestamped & AssetString {
  id: ID!
  _id: ID
  createdAt: DateTime
  updatedAt: DateTime
  user: User
  userId: ID
  course: Course
  section: Section
  courseSectionId: ID
  associatedUser: User
  type: EnrollmentType!
  state: EnrollmentWorkflowState!
  concluded: Boolean
  canBeRemoved: Boolean
  htmlUrl: URL
  lastActivityAt: DateTime
  totalActivityTime: Int
  limitPrivilegesToCourseSection: Boolean
  sisRole: String
  sisImportId: ID
  assetString: String
  grades(gradingPeriodId: ID): Grades
}
type Grades {
  currentScore: Float
  currentGrade: String
  finalScore: Float
  finalGrade: String
  unpostedCurrentScore: Float
  unpostedCurrentGrade: String
  unpostedFinalScore: Float
  unpostedFinalGrade: String
  overrideScore: Float
  overrideGrade: String
  customGradeStatusId: ID
  state: GradesState
  gradingPeriod: GradingPeriod
  assignmentGroup: AssignmentGroup
  enrollment: Enrollment
}
type Section implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  name: String!
  sisId: String
  userCount: Int
  students: UserConnection
  allStudents: UserConnection
}
`,
  resolvers: {
    Enrollment: {
      user: (enrollment, _args, graph) => {
        const { user, user_id } = enrollment.json;
        return user
          ? graph.item('User', user as RestJson, enrollment.place, {
              path: `/courses/${enrollment.place.course}/users/${user_id}`,
              query: { include: ['email', 'avatar_url'] },
            })
          : graph.load('User', user_id);
      },
      course: (enrollment, _args, graph, info) => graph.reference('Course', enrollment.json.course_id, info),
      section: (enrollment, _args, graph, info) => graph.reference('Section', enrollment.json.course_section_id, info),
      associatedUser: (enrollment, _args, graph, info) => graph.reference('User', enrollment.json.associated_user_id, info),
      state: key('enrollment_state'),
      concluded: ({ json }) => json.enrollment_state === 'completed',
      sisRole: key('role'),
      assetString: ({ json }) => `enrollment_${json.id}`,
      grades: gradesOf,
    },
    Grades: {
      state: () => 'active',
      gradingPeriod: (grades, _args, graph) => graph.load('GradingPeriod', grades.json.grading_period_id),
      assignmentGroup: () => null,
      enrollment: (grades, _args, graph) => enrollmentItem(graph, grades.json.enrollment as RestJson),
    },
    Section: {
      sisId: key('sis_section_id'),
      userCount: key('total_students'),
      students: (section, args, graph) => studentsOf(section, ['active'], args, graph),
      allStudents: (section, args, graph) => studentsOf(section, ['active', 'invited', 'inactive', 'completed'], args, graph),
    },
  },
  loaders: {
    Section: (id, graph) => graph.one('Section', `/sections/${id}`, { include: ['total_students'] }),
    async Enrollment(id, graph) {
      const [row] = await graph.locate<{ course: number; user: number }[]>((build) =>
        build.select({ course: enrollments.course_id, user: enrollments.user_id }).from(enrollments).where(eq(enrollments.id, id)),
      );
      if (!row) return null;
      const here = await graph.some(`/courses/${row.course}/enrollments`, { user_id: row.user, state: anyState });
      const found = here?.find((json) => json.id === id) ?? (await graph.one('Enrollment', `/accounts/1/enrollments/${id}`))?.json;
      return found ? enrollmentItem(graph, found) : null;
    },
  },
};
