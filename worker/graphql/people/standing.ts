// The activity, progress, due work and dashboard of users in their courses.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Graph, GraphItem } from '../graph';
import { legacyId } from '../ids';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { moduleItemOf } from '../types/modules';
import { objectArg } from '../values';

const week = 7 * 24 * 60 * 60 * 1000;

async function summaryOf(user: GraphItem, course: number | undefined, graph: Graph) {
  if (course === undefined) return null;
  const answer = await graph.rest.read(`/courses/${course}/analytics/student_summaries`, { student_id: user.json.id });
  const found = ((answer?.body ?? []) as RestJson[]).find?.(({ id }) => id === user.json.id);
  if (!found) return null;
  const { late, missing, on_time, total } = objectArg(found.tardiness_breakdown);
  return {
    pageViews: { level: found.page_views_level, max: found.max_page_views, total: found.page_views },
    participations: { level: found.participations_level, max: found.max_participations, total: found.participations },
    tardinessBreakdown: { late, missing, onTime: on_time, total },
  };
}

const isIncomplete = ({ json }: GraphItem) => objectArg(json.completion_requirement).completed === false;

/** The progress through the modules of the course in which the user was read. */
async function progressionOf(user: GraphItem, graph: Graph) {
  const { course } = user.place;
  if (course === undefined) return null;
  const found = objectArg((await graph.rest.read(`/courses/${course}/users/${user.json.id}/progress`))?.body);
  const { requirement_count: total, requirement_completed_count: completed } = found;
  if (typeof total !== 'number' || typeof completed !== 'number') return null;
  const requirements = { completed, total, completionPercentage: total === 0 ? 0 : (completed * 100) / total };
  return graph.item('CourseProgression', { requirements, user_id: user.json.id }, user.place);
}

async function incompleteModules({ json, place }: GraphItem, graph: Graph): Promise<GraphItem[]> {
  const all = await graph.some(`/courses/${place.course}/modules`, { student_id: json.user_id, include: ['items'] });
  return (all ?? [])
    .filter(({ state }) => state !== undefined && state !== 'completed')
    .map((module) => graph.item('IncompleteModule', { module }, { ...place, module: module.id as number }));
}

/** The submissions of a student in a course, of all assignments that the student has. */
const submissionsOf = (course: unknown, student: number | 'self', graph: Graph) =>
  graph.all(`/courses/${course}/students/submissions`, { student_ids: [student] });

async function submissionStatistics(course: GraphItem, student: number | undefined, graph: Graph) {
  const all = (await submissionsOf(course.json.id, student ?? 'self', graph)) ?? [];
  const { now } = graph.call;
  const until = new Date(Date.parse(now) + week).toISOString();
  const isDue = ({ cached_due_date: due }: RestJson) => typeof due === 'string' && due >= now && due <= until;
  return {
    missingSubmissionsCount: all.filter(({ missing }) => missing === true).length,
    submissionsDueThisWeekCount: all.filter((one) => isDue(one) && one.submitted_at === null).length,
    submissionsDueCount: all.filter((one) => typeof one.cached_due_date === 'string' && one.submitted_at === null).length,
  };
}

/** What of the assignments of a module is missing, and when the last is due. */
async function moduleStatistics(module: GraphItem, graph: Graph) {
  const { course } = module.place;
  const items = await graph.all(`/courses/${course}/modules/${module.json.id}/items`);
  const ids = new Set((items ?? []).filter(({ type }) => type === 'Assignment').map(({ content_id }) => content_id));
  const all = ((await submissionsOf(course, 'self', graph)) ?? []).filter(({ assignment_id }) => ids.has(assignment_id));
  const dates = all.flatMap(({ cached_due_date: due }) => (typeof due === 'string' ? [due] : []));
  return { latestDueAt: dates.sort().at(-1) ?? null, missingAssignmentCount: all.filter(({ missing }) => missing === true).length };
}

async function streamOf(path: string, graph: Graph, isActive = false) {
  const answer = await graph.rest.read(`${path}/activity_stream/summary`, isActive ? { only_active_courses: true } : {});
  return answer && { summary: (answer.body as RestJson[]).map((json) => graph.item('StreamSummaryItem', json)) };
}

async function cardOf(course: GraphItem, graph: Graph): Promise<GraphItem | null> {
  const answer = await graph.rest.read('/dashboard/dashboard_cards');
  const card = ((answer?.body ?? []) as RestJson[]).find(({ id }) => id === course.json.id);
  return card ? graph.item('CourseDashboardCard', card, { course: card.id as number }) : null;
}

/** The keys of a dashboard card are in camel case in REST, too. */
const plain = (name: string) => (card: GraphItem) => lookUp(card.json, name) ?? null;
const cardFields = [
  'assetString',
  'canManage',
  'color',
  'courseCode',
  'defaultView',
  'enrollmentState',
  'enrollmentType',
  'href',
  'image',
  'isFavorited',
  'isHomeroom',
  'longName',
  'observee',
  'originalName',
  'position',
  'published',
  'shortName',
  'subtitle',
];

export const standingObjects: TypeModule = {
  sdl: `
type PageViewAnalysis {
  level: Int
  max: Int
  total: Int
}
type ParticipationAnalysis {
  level: Int
  max: Int
  total: Int
}
type TardinessBreakdown {
  late: Float
  missing: Float
  onTime: Float
  total: Int
}
type UserSummaryAnalytics {
  pageViews: PageViewAnalysis
  participations: ParticipationAnalysis
  tardinessBreakdown: TardinessBreakdown
}
type CourseProgressionRequirements {
  completed: Int!
  completionPercentage: Float!
  total: Int!
}
type CourseProgression {
  requirements: CourseProgressionRequirements
  incompleteModulesConnection: IncompleteModuleConnection
}
type IncompleteModule {
  module: Module
  incompleteItemsConnection: ModuleItemConnection
}
type StreamSummaryItem {
  count: Int
  notificationCategory: String
  type: String
  unreadCount: Int
}
type ActivityStream {
  summary: [StreamSummaryItem!]
}
type SubmissionStatistics {
  missingSubmissionsCount: Int!
  submissionsDueThisWeekCount: Int!
  submissionsDueCount: Int!
}
type ModuleStatistics {
  latestDueAt: DateTime
  missingAssignmentCount: Int!
}
type CourseDashboardCardLink {
  cssClass: String
  hidden: Boolean
  icon: String
  label: String
  path: String
}
type CourseDashboardCard {
  assetString: String
  canManage: Boolean
  color: String
  courseCode: String
  defaultView: String
  enrollmentState: String
  enrollmentType: String
  href: String
  image: URL
  isFavorited: Boolean
  isHomeroom: Boolean
  links: [CourseDashboardCardLink!]
  longName: String
  observee: String
  originalName: String
  position: Int
  published: Boolean
  shortName: String
  subtitle: String
  term: Term
}
extend type Course {
  dashboardCard: CourseDashboardCard
  activityStream: ActivityStream
  submissionStatistics(observedUserId: ID): SubmissionStatistics
}
extend type Group {
  activityStream: ActivityStream
}
extend type Module {
  submissionStatistics: ModuleStatistics
}
extend type User {
  summaryAnalytics(courseId: ID!): UserSummaryAnalytics
  courseProgression: CourseProgression
  activityStream(onlyActiveCourses: Boolean): ActivityStream
}
`,
  resolvers: {
    User: {
      summaryAnalytics: (user, args, graph) => summaryOf(user, legacyId(args.courseId, 'Course'), graph),
      courseProgression: (user, _args, graph) => progressionOf(user, graph),
      activityStream: (user, args, graph) =>
        user.json.id === graph.call.me.id ? streamOf('/users/self', graph, args.onlyActiveCourses === true) : null,
    },
    CourseProgression: {
      requirements: ({ json }) => json.requirements,
      incompleteModulesConnection: async (progression, args, graph) => graph.complete(args, await incompleteModules(progression, graph)),
    },
    IncompleteModule: {
      module: ({ json, place }, _args, graph) => graph.item('Module', json.module as RestJson, place),
      incompleteItemsConnection: ({ json, place }, args, graph) =>
        graph.complete(
          args,
          ((objectArg(json.module).items ?? []) as RestJson[]).map((one) => moduleItemOf(graph, one, place.course)).filter(isIncomplete),
        ),
    },
    Course: {
      dashboardCard: (course, _args, graph) => cardOf(course, graph),
      activityStream: (course, _args, graph) => streamOf(`/courses/${course.json.id}`, graph),
      submissionStatistics: (course, args, graph) => submissionStatistics(course, legacyId(args.observedUserId, 'User'), graph),
    },
    Group: { activityStream: (group, _args, graph) => streamOf(`/groups/${group.json.id}`, graph) },
    Module: { submissionStatistics: (module, _args, graph) => moduleStatistics(module, graph) },
    CourseDashboardCard: {
      ...Object.fromEntries(cardFields.map((name) => [name, plain(name)])),
      links: ({ json }) => ((json.links ?? []) as RestJson[]).map(({ css_class, ...link }) => ({ cssClass: css_class, ...link })),
      async term({ place }, _args, graph) {
        const course = await graph.load('Course', place.course);
        const term = course?.json.term as RestJson | null | undefined;
        return term ? graph.item('Term', term) : null;
      },
    },
  },
};
