// The entrance: what a query can start from.

import { eq } from 'drizzle-orm';
import { GraphQLError } from 'graphql';
import { assignments } from '../../domains/assignments/table';
import type { Args, Graph, GraphItem } from '../graph';
import { askedOf } from '../graph';
import { legacyId, readGlobalId, readNumber } from '../ids';
import type { TypeModule } from '../type_module';
import { ownCourses } from './courses';
import { submissionBetween } from './submissions';

/** Types that `legacyNode` finds. */
const nodeTypes = [
  'Account',
  'Assignment',
  'AssignmentGroup',
  'Conversation',
  'Course',
  'Discussion',
  'DiscussionEntry',
  'Enrollment',
  'File',
  'Folder',
  'GradingPeriod',
  'GradingPeriodGroup',
  'Group',
  'GroupSet',
  'InternalSetting',
  'LearningOutcomeGroup',
  'MediaObject',
  'Module',
  'ModuleItem',
  'ModuleProgression',
  'OutcomeCalculationMethod',
  'OutcomeProficiency',
  'Page',
  'PostPolicy',
  'Progress',
  'Rubric',
  'Section',
  'Submission',
  'Term',
  'UsageRights',
  'User',
];

/** A field that takes an id of the graph or of REST. */
const byId = (type: string) => (_root: GraphItem, args: Args, graph: Graph) => graph.load(type, legacyId(args.id, type));

const hasText = (given: unknown): given is string => typeof given === 'string' && given !== '';

/** The same, or the id that the institution's student information system gave it. */
const bySisId =
  (type: string, segment: string, reference: string, place: (id: number) => GraphItem['place']) =>
  async (_root: GraphItem, args: Args, graph: Graph) => {
    if (hasText(args.id) === hasText(args.sisId)) {
      // Canvas prefers the id of a course.
      if (!hasText(args.id)) throw new GraphQLError('Must specify exactly one of id or sisId');
      if (type !== 'Course') throw new GraphQLError('Must specify exactly one of id or sisId');
    }
    if (hasText(args.id)) return graph.load(type, legacyId(args.id, type));
    const found = await graph.one(type, `${segment}/${reference}:${encodeURIComponent(String(args.sisId))}`);
    const id = found && readNumber(found.json.id);
    return found && id !== undefined ? graph.item(type, found.json, place(id ?? 0)) : null;
  };

async function nodeOf(given: unknown, graph: Graph): Promise<GraphItem | null> {
  const named = readGlobalId(String(given));
  if (!named) return null;
  if (named.type === 'PostPolicy') return postPolicyOf(named.id, graph);
  return graph.load(named.type, named.id);
}

/** `course:7` or `assignment:7`. */
async function postPolicyOf(id: string, graph: Graph): Promise<GraphItem | null> {
  const [kind, number] = id.split(':');
  const owner = await graph.load(kind === 'course' ? 'Course' : 'Assignment', number);
  if (!owner || typeof owner.json.post_manually !== 'boolean') return null;
  const assignment = kind === 'assignment' ? { assignment: owner.json } : {};
  return graph.item('PostPolicy', { id, post_manually: owner.json.post_manually, ...assignment }, owner.place);
}

async function submissionBy(_root: GraphItem, args: Args, graph: Graph): Promise<GraphItem | null> {
  const { id, assignmentId, userId, anonymousId } = args;
  if (hasText(id)) return graph.load('Submission', legacyId(id, 'Submission'));
  if (!hasText(assignmentId) || hasText(userId) === hasText(anonymousId))
    throw new GraphQLError('Must specify an id, or an assignmentId with either userId or anonymousId');
  const assignment = legacyId(assignmentId, 'Assignment');
  if (assignment === undefined) return null;
  if (hasText(anonymousId)) return /^\w{1,20}$/.test(anonymousId) ? submissionBetween(assignment, anonymousId, graph, true) : null;
  const user = userId === 'self' ? graph.call.me.id : legacyId(userId, 'User');
  return user === undefined ? null : submissionBetween(assignment, user, graph);
}

export const queryTypes: TypeModule = {
  sdl: `
enum NodeType { ${nodeTypes.join(' ')} }
type Query {
  account(id: ID, sisId: String): Account
  allCourses: [Course!]
  assignment(id: ID, sisId: String): Assignment
  assignmentGroup(id: ID, sisId: String): AssignmentGroup
  course(id: ID, sisId: String): Course
  folder(id: ID!): Folder
  learningOutcome(id: ID!): LearningOutcome
  learningOutcomeGroup(id: ID!): LearningOutcomeGroup
  legacyNode(_id: ID!, type: NodeType!): Node
  moduleItem(id: ID!): ModuleItem
  node(id: ID!): Node
  outcomeProficiency(id: ID!): OutcomeProficiency
  rubric(id: ID!): Rubric
  submission(id: ID, assignmentId: ID, userId: ID, anonymousId: ID): Submission
  term(id: ID, sisId: String): Term
}
`,
  resolvers: {
    Query: {
      account: bySisId('Account', '/accounts', 'sis_account_id', (account) => ({ account })),
      allCourses: (_root, _args, graph, info) => ownCourses(graph, askedOf(info)),
      assignment: (root, args, graph) => {
        if (hasText(args.id) === hasText(args.sisId)) throw new GraphQLError('Must specify exactly one of id or sisId');
        if (hasText(args.sisId)) return assignmentBySis(args.sisId, graph);
        return byId('Assignment')(root, args, graph);
      },
      assignmentGroup: (root, args, graph) => {
        if (hasText(args.id) === hasText(args.sisId)) throw new GraphQLError('Must specify exactly one of id or sisId');
        // REST has no address for a SIS id of a group without its course.
        return hasText(args.sisId) ? null : byId('AssignmentGroup')(root, args, graph);
      },
      course: bySisId('Course', '/courses', 'sis_course_id', (course) => ({ course })),
      folder: byId('Folder'),
      learningOutcome: byId('LearningOutcome'),
      learningOutcomeGroup: byId('LearningOutcomeGroup'),
      legacyNode: (_root, args, graph) => graph.load(String(args.type), args._id),
      moduleItem: byId('ModuleItem'),
      node: (_root, args, graph) => nodeOf(args.id, graph),
      outcomeProficiency: byId('OutcomeProficiency'),
      rubric: byId('Rubric'),
      submission: submissionBy,
      term: bySisId('Term', '/accounts/1/terms', 'sis_term_id', () => ({})),
    },
  },
};

async function assignmentBySis(sisId: string, graph: Graph): Promise<GraphItem | null> {
  const [row] = await graph.locate<{ id: number }[]>((build) =>
    build.select({ id: assignments.id }).from(assignments).where(eq(assignments.sis_assignment_id, sisId)),
  );
  return row ? graph.load('Assignment', row.id) : null;
}
