// Courses: their fields, and the lists of what is in them.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Args, Graph, GraphItem, GraphPlace } from '../graph';
import { askedOf } from '../graph';
import { legacyId } from '../ids';
import { proficiencyAt } from '../outcomes/proficiency';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { key, listArg, objectArg } from '../values';
import { assignmentsOf } from './assignment_lists';
import { enrollmentsOf } from './enrollments';
import { courseSubmissions } from './submission_lists';
import { courseUsersConnection, courseUsersCount } from './users';

const detail = { include: ['syllabus_body', 'term', 'course_image', 'post_manually'] };

export const courseItem = (graph: Graph, json: RestJson): GraphItem =>
  graph.item('Course', json, { course: json.id as number }, { path: `/courses/${json.id}`, query: detail });

/** What a list of courses has to include for the fields that are asked of each. */
const includesFor = (asked: ReadonlySet<string>) => ({
  include: [...(asked.has('syllabusBody') ? ['syllabus_body'] : []), ...(asked.has('term') ? ['term'] : [])],
});

/** A connection over courses of REST. */
export const coursesConnection = (graph: Graph, args: Args, path: string, asked: ReadonlySet<string>) =>
  graph.connection(args, path, includesFor(asked), (json) => courseItem(graph, json));

/** Courses that the caller may read. */
export async function ownCourses(graph: Graph, asked: ReadonlySet<string>): Promise<GraphItem[]> {
  const all = await graph.all('/courses', { ...includesFor(asked), state: ['unpublished', 'available', 'completed'] });
  return (all ?? []).filter((json) => json.access_restricted_by_date !== true).map((json) => courseItem(graph, json));
}

const stateOf: Readonly<Record<string, string>> = {
  unpublished: 'claimed',
  available: 'available',
  completed: 'completed',
  deleted: 'deleted',
};

const below = (course: GraphItem) => `/courses/${course.json.id}`;
const here = (course: GraphItem): GraphPlace => ({ course: course.json.id as number });

/** A list of the course as items of a type. */
const list =
  (type: string, path: string, query: object = {}) =>
  (course: GraphItem, args: Args, graph: Graph) =>
    graph.connection(args, `${below(course)}${path}`, { ...query, ...searchOf(args) }, (json) => graph.item(type, json, here(course)));

const searchOf = ({ filter }: Args) => {
  const { searchTerm } = objectArg(filter);
  return searchTerm ? { search_term: searchTerm } : {};
};

const permissions: Readonly<Record<string, string>> = {
  becomeUser: 'become_user',
  manageGrades: 'manage_grades',
  sendMessages: 'send_messages',
  viewAllGrades: 'view_all_grades',
  viewAnalytics: 'view_analytics',
};

async function permissionsOf(course: GraphItem, graph: Graph) {
  const answer = await graph.rest.read(`${below(course)}/permissions`, { permissions: Object.values(permissions) });
  const held = answer?.body as RestJson | undefined;
  return held && Object.fromEntries(Object.entries(permissions).map(([name, permission]) => [name, lookUp(held, permission) === true]));
}

export const courseTypes: TypeModule = {
  sdl: `
enum CourseWorkflowState {
  available
  claimed
  completed
  created
  deleted
}
enum CourseGradeStatus {
  excused
  extended
  late
  missing
  none
}
type CoursePermissions {
  becomeUser: Boolean!
  manageGrades: Boolean!
  sendMessages: Boolean!
  viewAllGrades: Boolean!
  viewAnalytics: Boolean!
}
input PageFilter {
  userId: ID
  searchTerm: String
}
input FileFilter {
  userId: ID
  searchTerm: String
}
input QuizFilter {
  userId: ID
  searchTerm: String
}
input DiscussionFilter {
  userId: ID
  searchTerm: String
}
input CourseSectionsFilter {
  assignmentId: ID
}
input ExternalToolFilterInput {
  placement: String
  state: ExternalToolState
}
type Course implements Node & LegacyIDInterface & Timestamped & AssetString {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  name: String!
  courseCode: String
  courseNickname: String
  state: CourseWorkflowState!
  sisId: String
  assetString: String
  account: Account
  term: Term
  syllabusBody: String
  imageUrl: URL
  applyGroupWeights: Boolean
  allowFinalGradeOverride: Boolean
  gradingStandard: GradingStandard
  postPolicy: PostPolicy
  permissions: CoursePermissions
  gradeStatuses: [CourseGradeStatus!]
  horizonCourse: Boolean
  assignmentGroups: [AssignmentGroup]
  assignmentGroupsConnection: AssignmentGroupConnection
  assignmentsConnection(filter: AssignmentFilter): AssignmentConnection
  assignmentPostPolicies: PostPolicyConnection
  discussionsConnection(filter: DiscussionFilter): DiscussionConnection
  enrollmentsConnection(filter: EnrollmentFilterInput): EnrollmentConnection
  externalToolsConnection(filter: ExternalToolFilterInput): ExternalToolConnection
  filesConnection(filter: FileFilter): FileConnection
  foldersConnection: FolderConnection
  gradingPeriodsConnection: GradingPeriodConnection
  relevantGradingPeriodGroup: GradingPeriodGroup
  groupsConnection(includeNonCollaborative: Boolean = false): GroupConnection
  groupSets: [GroupSet]
  groupSetsConnection(includeNonCollaborative: Boolean = false): GroupSetConnection
  modulesConnection: ModuleConnection
  pagesConnection(filter: PageFilter): PageConnection
  quizzesConnection(filter: QuizFilter): QuizConnection
  rubricsConnection: RubricConnection
  sectionsConnection(filter: CourseSectionsFilter): SectionConnection
  submissionsConnection(studentIds: [ID!], orderBy: [SubmissionOrderInputType!], filter: SubmissionFilterInput): SubmissionConnection
  usersConnection(userIds: [ID!], filter: CourseUsersFilter, sort: CourseUsersSortInputType): UserConnection
  usersConnectionCount(userIds: [ID!], filter: CourseUsersFilter): Int
  rootOutcomeGroup: LearningOutcomeGroup
  outcomeProficiency: OutcomeProficiency
}
`,
  resolvers: {
    Course: {
      name: async (course, _args, graph) => (await graph.value(course, 'original_name')) ?? graph.value(course, 'name'),
      courseNickname: async (course, _args, graph) => (await graph.value(course, 'original_name')) && graph.value(course, 'name'),
      state: async (course, _args, graph) => lookUp(stateOf, String(await graph.value(course, 'workflow_state'))) ?? 'created',
      sisId: key('sis_course_id'),
      assetString: (course) => `course_${course.json.id}`,
      account: async (course, _args, graph, info) => graph.reference('Account', await graph.value(course, 'account_id'), info),
      async term(course, _args, graph) {
        const term = (await graph.value(course, 'term')) as RestJson | null;
        return term && graph.item('Term', term);
      },
      imageUrl: key('image_download_url'),
      applyGroupWeights: key('apply_assignment_group_weights'),
      async allowFinalGradeOverride(course, _args, graph) {
        const settings = (await graph.rest.read(`${below(course)}/settings`))?.body as RestJson | undefined;
        return settings?.allow_final_grade_override ?? null;
      },
      async gradingStandard(course, _args, graph) {
        const id = await graph.value(course, 'grading_standard_id');
        return id === null ? null : graph.one('GradingStandard', `${below(course)}/grading_standards/${id}`);
      },
      async postPolicy(course, _args, graph) {
        const isManual = (await graph.wholeOf(course))?.post_manually ?? course.json.post_manually;
        return typeof isManual === 'boolean'
          ? graph.item('PostPolicy', { id: `course:${course.json.id}`, post_manually: isManual }, here(course))
          : null;
      },
      permissions: (course, _args, graph) => permissionsOf(course, graph),
      gradeStatuses: () => ['late', 'missing', 'excused', 'none', 'extended'],
      async assignmentGroups(course, _args, graph) {
        const all = await graph.all(`${below(course)}/assignment_groups`);
        return all?.map((json) => graph.item('AssignmentGroup', json, here(course)));
      },
      assignmentGroupsConnection: list('AssignmentGroup', '/assignment_groups'),
      assignmentsConnection: (course, args, graph, info) => assignmentsOf(here(course), args, graph, info),
      assignmentPostPolicies: (course, args, graph) =>
        graph.connection(
          args,
          `${below(course)}/assignments`,
          {},
          (json) =>
            graph.item('PostPolicy', { id: `assignment:${json.id}`, post_manually: json.post_manually, assignment: json }, here(course)),
          (json) => typeof json.post_manually === 'boolean',
        ),
      discussionsConnection: list('Discussion', '/discussion_topics'),
      enrollmentsConnection: (course, args, graph) => enrollmentsOf(below(course), args, graph, here(course)),
      externalToolsConnection: (course, args, graph) => {
        const { placement, state } = objectArg(args.filter);
        return graph.connection(
          args,
          `${below(course)}/external_tools`,
          { include_parents: true, ...(placement ? { placement } : {}) },
          (json) => graph.item('ExternalTool', json, here(course)),
          state ? (json) => json.privacy_level === state : undefined,
        );
      },
      filesConnection: list('File', '/files'),
      foldersConnection: list('Folder', '/folders'),
      async gradingPeriodsConnection(course, args, graph) {
        const periods = ((await graph.rest.read(`${below(course)}/grading_periods`))?.body as RestJson | undefined)?.grading_periods;
        return graph.complete(
          args,
          ((periods ?? []) as RestJson[]).map((json) => graph.item('GradingPeriod', json, here(course))),
        );
      },
      async relevantGradingPeriodGroup(course, _args, graph) {
        const periods = ((await graph.rest.read(`${below(course)}/grading_periods`))?.body as RestJson | undefined)?.grading_periods;
        const [first] = (periods ?? []) as RestJson[];
        return first ? graph.load('GradingPeriodGroup', first.grading_period_group_id ?? null) : null;
      },
      groupsConnection: (course, args, graph) =>
        graph.connection(
          args,
          `${below(course)}/groups`,
          { include_inactive_users: false },
          (json) => graph.item('Group', json, { group: json.id as number }),
          args.includeNonCollaborative ? undefined : (json) => json.non_collaborative !== true,
        ),
      async groupSets(course, _args, graph) {
        const all = await graph.all(`${below(course)}/group_categories`);
        return all?.filter((json) => json.non_collaborative !== true).map((json) => graph.item('GroupSet', json, here(course)));
      },
      groupSetsConnection: (course, args, graph) =>
        graph.connection(
          args,
          `${below(course)}/group_categories`,
          {},
          (json) => graph.item('GroupSet', json, here(course)),
          args.includeNonCollaborative ? undefined : (json) => json.non_collaborative !== true,
        ),
      modulesConnection: (course, args, graph, info) => {
        const asksItems = askedOf(info).has('moduleItems');
        return graph.connection(args, `${below(course)}/modules`, asksItems ? { include: ['items', 'content_details'] } : {}, (json) =>
          graph.item('Module', json, { ...here(course), module: json.id as number }),
        );
      },
      pagesConnection: list('Page', '/pages'),
      quizzesConnection: list('Quiz', '/quizzes'),
      rubricsConnection: list('Rubric', '/rubrics'),
      async sectionsConnection(course, args, graph) {
        const assignmentId = legacyId(objectArg(args.filter).assignmentId, 'Assignment');
        const dates = assignmentId === undefined ? undefined : await graph.some(`${below(course)}/assignments/${assignmentId}/overrides`);
        const ids = dates?.flatMap(({ course_section_id }) => (course_section_id === undefined ? [] : [course_section_id]));
        return graph.connection(
          args,
          `${below(course)}/sections`,
          { include: ['total_students'] },
          (json) => graph.item('Section', json, here(course)),
          ids?.length ? (json) => ids.includes(json.id as number) : undefined,
        );
      },
      submissionsConnection: (course, args, graph, info) => courseSubmissions(course, args, graph, info),
      usersConnection: (course, args, graph) => courseUsersConnection(course, { ...args, userIds: listArg(args.userIds) }, graph),
      usersConnectionCount: (course, args, graph) => courseUsersCount(course, { ...args, userIds: listArg(args.userIds) }, graph),
      rootOutcomeGroup: (course, _args, graph) =>
        graph.one('LearningOutcomeGroup', `${below(course)}/root_outcome_group`, {}, here(course)),
      outcomeProficiency: (course, _args, graph) => proficiencyAt(here(course), graph),
    },
  },
  loaders: {
    Course: async (id, graph) => {
      const item = await graph.one('Course', `/courses/${id}`, detail, { course: id });
      return item && (item.json.access_restricted_by_date === true ? null : item);
    },
  },
};
