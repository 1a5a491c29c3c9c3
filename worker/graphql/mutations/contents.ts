// Mutations of assignments, modules, groups and group sets.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { GraphItem } from '../graph';
import { assignmentItem } from '../types/assignment_lists';
import { courseOfAssignment } from '../types/submissions';
import {
  asJson,
  fewInputIds,
  type Input,
  inputId,
  inputIdOrNone,
  inputIds,
  type Mutation,
  type MutationCall,
  missing,
  refuseGiven,
  renamed,
} from './mutation';

const plain = [
  'name',
  'description',
  'dueAt',
  'lockAt',
  'unlockAt',
  'pointsPossible',
  'position',
  'gradingType',
  'submissionTypes',
  'allowedAttempts',
  'allowedExtensions',
  'gradeGroupStudentsIndividually',
  'omitFromFinalGrade',
  'onlyVisibleToOverrides',
  'postToSis',
  'anonymousGrading',
  'anonymousInstructorAnnotations',
];

const peerReviewNames: Readonly<Record<string, string>> = {
  enabled: 'peer_reviews',
  count: 'peer_review_count',
  dueAt: 'peer_reviews_assign_at',
  automaticReviews: 'automatic_peer_reviews',
  anonymousReviews: 'anonymous_peer_reviews',
  intraReviews: 'intra_group_peer_reviews',
};
const moderationNames: Readonly<Record<string, string>> = {
  enabled: 'moderated_grading',
  graderCount: 'grader_count',
  graderCommentsVisibleToGraders: 'grader_comments_visible_to_graders',
  graderNamesVisibleToFinalGrader: 'grader_names_visible_to_final_grader',
  gradersAnonymousToGraders: 'graders_anonymous_to_graders',
};

/** A group of fields that REST has beside the others. */
const flattened = (given: unknown, names: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(asJson(given)).flatMap(([name, value]) => {
      const known = lookUp(names, name);
      return known === undefined ? [] : [[known, value]];
    }),
  );

const overrideOf = (given: Input) => ({
  ...renamed(given, ['title', 'dueAt', 'lockAt', 'unlockAt', 'unassignItem']),
  ...(given.id ? { id: inputId(given, 'id', 'AssignmentOverride') } : {}),
  ...(given.courseSectionId ? { course_section_id: inputId(given, 'courseSectionId', 'Section') } : {}),
  ...(given.groupId ? { group_id: inputId(given, 'groupId', 'Group') } : {}),
  ...(given.studentIds ? { student_ids: inputIds(given, 'studentIds', 'User') } : {}),
});

/** Adds an assignment to modules, each by a write of its own. */
async function putInModules({ input, send }: MutationCall, course: number, assignment: unknown): Promise<void> {
  for (const module of input.moduleIds ? fewInputIds(input, 'moduleIds', 'Module') : [])
    await send('POST', `/courses/${course}/modules/${module}/items`, { module_item: { type: 'Assignment', content_id: assignment } });
}

/** The input as REST takes an assignment. */
export function assignmentInput(input: Input): object {
  const group = inputIdOrNone(input, 'assignmentGroupId', 'AssignmentGroup');
  const set = inputIdOrNone(input, input.groupSetId === undefined ? 'groupCategoryId' : 'groupSetId', 'GroupSet');
  const standard = inputIdOrNone(input, 'gradingStandardId', 'GradingStandard');
  return {
    ...renamed(input, plain),
    ...(typeof input.state === 'string' && { published: input.state === 'published' }),
    ...(group !== undefined && { assignment_group_id: group }),
    ...(set !== undefined && { group_category_id: set }),
    ...(standard !== undefined && { grading_standard_id: standard }),
    ...flattened(input.peerReviews, peerReviewNames),
    ...flattened(input.moderatedGrading, moderationNames),
    ...(Array.isArray(input.assignmentOverrides) && { assignment_overrides: (input.assignmentOverrides as Input[]).map(overrideOf) }),
  };
}

export const assignmentInputFields = `description: String
  dueAt: DateTime
  lockAt: DateTime
  unlockAt: DateTime
  pointsPossible: Float
  position: Int
  state: AssignmentState
  gradingType: GradingType
  submissionTypes: [SubmissionType!]
  allowedAttempts: Int
  allowedExtensions: [String!]
  assignmentGroupId: ID
  groupSetId: ID
  groupCategoryId: ID
  gradeGroupStudentsIndividually: Boolean
  gradingStandardId: ID
  omitFromFinalGrade: Boolean
  onlyVisibleToOverrides: Boolean
  postToSis: Boolean
  anonymousGrading: Boolean
  anonymousInstructorAnnotations: Boolean
  moderatedGrading: AssignmentModeratedGradingUpdate
  peerReviews: AssignmentPeerReviewsUpdate
  assignmentOverrides: [AssignmentOverrideCreateOrUpdate!]
  moduleIds: [ID!]
  forCheckpoints: Boolean`;

export const contentInputs = `
input AssignmentPeerReviewsUpdate {
  enabled: Boolean
  count: Int
  dueAt: DateTime
  automaticReviews: Boolean
  anonymousReviews: Boolean
  intraReviews: Boolean
}
input AssignmentModeratedGradingUpdate {
  enabled: Boolean
  graderCount: Int
  graderCommentsVisibleToGraders: Boolean
  graderNamesVisibleToFinalGrader: Boolean
  gradersAnonymousToGraders: Boolean
}
input AssignmentOverrideCreateOrUpdate {
  id: ID
  courseSectionId: ID
  groupId: ID
  noopId: ID
  studentIds: [ID!]
  title: String
  dueAt: DateTime
  lockAt: DateTime
  unlockAt: DateTime
  unassignItem: Boolean
}
enum GroupSetContextType {
  account
  course
}
`;

export const contentMutations: Readonly<Record<string, Mutation>> = {
  createAssignment: {
    input: `courseId: ID!\n  name: String!\n  ${assignmentInputFields}`,
    payload: 'assignment: Assignment',
    async run(call) {
      const { input, graph, send } = call;
      refuseGiven(input, ['forCheckpoints']);
      const course = inputId(input, 'courseId', 'Course');
      const json = asJson(await send('POST', `/courses/${course}/assignments`, { assignment: assignmentInput(input) }));
      await putInModules(call, course, json.id);
      return { assignment: assignmentItem(graph, json) };
    },
  },
  updateAssignment: {
    input: `id: ID!\n  name: String\n  ${assignmentInputFields}`,
    payload: 'assignment: Assignment',
    async run(call) {
      const { input, graph, send } = call;
      refuseGiven(input, ['forCheckpoints']);
      const id = inputId(input, 'id', 'Assignment');
      const course = await courseOfAssignment(id, graph);
      if (course === undefined) throw missing();
      const path = `/courses/${course}/assignments/${id}`;
      const json = input.state === 'deleted' ? await send('DELETE', path) : await send('PUT', path, { assignment: assignmentInput(input) });
      if (input.state !== 'deleted') await putInModules(call, course, id);
      return { assignment: assignmentItem(graph, asJson(json)) };
    },
  },
  createModule: {
    input: 'courseId: ID!\n  name: String!',
    payload: 'module: Module',
    async run({ input, graph, send }) {
      const course = inputId(input, 'courseId', 'Course');
      const json = asJson(await send('POST', `/courses/${course}/modules`, { module: { name: input.name } }));
      return { module: graph.item('Module', json, { course, module: json.id as number }) };
    },
  },
  setModuleItemCompletion: {
    input: 'moduleId: ID!\n  itemId: ID!\n  done: Boolean!',
    payload: 'moduleItem: ModuleItem',
    async run({ input, graph, send }) {
      const item: GraphItem | null = await graph.load('ModuleItem', inputId(input, 'itemId', 'ModuleItem'));
      if (!item || item.json.module_id !== inputId(input, 'moduleId', 'Module')) throw missing();
      const path = `/courses/${item.place.course}/modules/${item.json.module_id}/items/${item.json.id}`;
      await send(input.done ? 'PUT' : 'DELETE', `${path}/done`);
      return { moduleItem: await graph.one('ModuleItem', path, {}, item.place) };
    },
  },
  createGroupInSet: {
    input: 'groupSetId: ID!\n  name: String!\n  nonCollaborative: Boolean',
    payload: 'group: Group',
    async run({ input, graph, send }) {
      const json = asJson(await send('POST', `/group_categories/${inputId(input, 'groupSetId', 'GroupSet')}/groups`, { name: input.name }));
      return { group: graph.item('Group', json, { group: json.id as number }) };
    },
  },
  createGroupSet: {
    input: `contextId: ID!
  contextType: GroupSetContextType!
  name: String!
  selfSignup: Boolean
  restrictSelfSignup: Boolean
  groupLimit: Int
  createGroupCount: Int
  enableAutoLeader: Boolean
  autoLeaderType: AutoLeaderPolicy`,
    payload: 'groupSet: GroupSet',
    async run({ input, graph, send }) {
      const isCourse = input.contextType === 'course';
      const id = inputId(input, 'contextId', isCourse ? 'Course' : 'Account');
      const json = await send('POST', `/${isCourse ? 'courses' : 'accounts'}/${id}/group_categories`, {
        ...renamed(input, ['name', 'groupLimit', 'createGroupCount']),
        ...(input.selfSignup ? { self_signup: input.restrictSelfSignup ? 'restricted' : 'enabled' } : {}),
        ...(input.enableAutoLeader ? { auto_leader: input.autoLeaderType ?? 'random' } : {}),
      });
      return { groupSet: graph.item('GroupSet', asJson(json)) };
    },
  },
};
