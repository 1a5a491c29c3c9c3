// Assignments, their groups and dates.

import { lookUp } from '@carrel/shared/wire/look_up';
import { eq } from 'drizzle-orm';
import { assignment_groups } from '../../domains/assignment_groups/table';
import { assignments } from '../../domains/assignments/table';
import type { Args, Graph, GraphItem, Resolver } from '../graph';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { isTrue, key, objectArg, oneOfKey } from '../values';
import { assignmentItem, assignmentsOf } from './assignment_lists';
import { assignmentSdl, assignmentWords } from './assignment_sdl';
import { assignmentSubmissions, groupSubmissions } from './submission_lists';

const pathOf = ({ place, json }: GraphItem) => `/courses/${place.course}/assignments/${json.id}`;

/** A date as it applies to the caller, or that of the assignment itself. */
const date =
  (name: string): Resolver =>
  async (assignment, args, graph) => {
    if (args.applyOverrides !== false) return graph.value(assignment, name);
    const answer = await graph.rest.read(pathOf(assignment), { override_assignment_dates: false });
    return lookUp(answer?.body as RestJson | undefined, name) ?? null;
  };

/** A key that REST shows with an include. */
export const included =
  (name: string, ...include: string[]) =>
  async (assignment: GraphItem, graph: Graph): Promise<unknown> => {
    const own = lookUp(assignment.json, name);
    if (own !== undefined) return own;
    const answer = await graph.rest.read(pathOf(assignment), { include });
    return lookUp(answer?.body as RestJson | undefined, name) ?? null;
  };

const allDates = included('all_dates', 'all_dates');
const statistics = included('score_statistics', 'score_statistics', 'submission');

/** The rubric as the assignment shows it to the caller. */
export function rubricOfAssignment(assignment: GraphItem, graph: Graph): GraphItem | null {
  const settings = assignment.json.rubric_settings as RestJson | undefined;
  if (!settings || !Array.isArray(assignment.json.rubric)) return null;
  return graph.item('Rubric', { ...settings, data: assignment.json.rubric, has_rubric_associations: true }, assignment.place);
}

const groupIn = async (id: number, graph: Graph) =>
  graph.locate<{ course: number }[]>((build) =>
    build.select({ course: assignment_groups.course_id }).from(assignment_groups).where(eq(assignment_groups.id, id)),
  );

/** The section, group or students that an override is for. */
function targetOf({ json, place }: GraphItem, _args: Args, graph: Graph): unknown {
  if (json.course_section_id !== undefined) return graph.load('Section', json.course_section_id);
  if (json.group_id !== undefined) return graph.load('Group', json.group_id);
  if (json.course_id !== undefined) return graph.load('Course', json.course_id);
  if (json.student_ids === undefined) return null;
  const students = (json.students ?? (json.student_ids as number[]).map((id) => ({ id }))) as RestJson[];
  return graph.item('AdhocStudents', { students }, place);
}

export const assignmentTypes: TypeModule = {
  sdl: assignmentSdl,
  resolvers: {
    Assignment: {
      title: key('name'),
      type: () => 'Assignment',
      graded: ({ json }) => json.grading_type !== 'not_graded',
      course: (assignment, _args, graph, info) => graph.reference('Course', assignment.json.course_id, info),
      assignmentGroup: ({ json, place }, _args, graph, info) =>
        graph.reference('AssignmentGroup', json.assignment_group_id, info, () =>
          graph.one(
            'AssignmentGroup',
            `/courses/${place.course}/assignment_groups/${json.assignment_group_id}`,
            {},
            { course: place.course },
          ),
        ),
      state: key('workflow_state'),
      dueAt: date('due_at'),
      lockAt: date('lock_at'),
      unlockAt: date('unlock_at'),
      gradingType: oneOfKey('grading_type', assignmentWords.grading),
      submissionTypes: ({ json }) =>
        ((json.submission_types ?? []) as string[]).filter((word) => assignmentWords.submission.includes(word)),
      canUnpublish: key('unpublishable'),
      onlyVisibleToOverrides: isTrue('only_visible_to_overrides'),
      visibleToEveryone: isTrue('visible_to_everyone'),
      gradeAsGroup: ({ json }) => json.group_category_id !== null && json.grade_group_students_individually !== true,
      groupSet: ({ json }, _args, graph, info) => graph.reference('GroupSet', json.group_category_id, info),
      hasGroupCategory: ({ json }) => json.group_category_id !== null,
      hasMultipleDueDates: async (assignment, _args, graph) => {
        const dates = await allDates(assignment, graph);
        return Array.isArray(dates) ? dates.length > 1 : null;
      },
      gradesPublished: (assignment, _args, graph) => included('grades_published', 'grades_published')(assignment, graph),
      moderatedGrading: ({ json }, _args, graph) => ({
        enabled: json.moderated_grading,
        graderCount: json.grader_count,
        finalGrader: () => graph.load('User', json.final_grader_id),
        graderCommentsVisibleToGraders: json.grader_comments_visible_to_graders,
        graderNamesVisibleToFinalGrader: json.grader_names_visible_to_final_grader,
        gradersAnonymousToGraders: json.graders_anonymous_to_graders,
      }),
      moderatedGradingEnabled: key('moderated_grading'),
      peerReviews: ({ json }) => ({
        enabled: json.peer_reviews,
        count: json.peer_review_count,
        dueAt: json.peer_reviews_assign_at,
        automaticReviews: json.automatic_peer_reviews,
        anonymousReviews: json.anonymous_peer_reviews,
        intraReviews: json.intra_group_peer_reviews,
      }),
      postPolicy: ({ json, place }, _args, graph) =>
        typeof json.post_manually === 'boolean'
          ? graph.item('PostPolicy', { id: `assignment:${json.id}`, post_manually: json.post_manually, assignment: json }, place)
          : null,
      isNewQuiz: isTrue('is_quiz_lti_assignment'),
      quiz: ({ json, place }, _args, graph) =>
        json.quiz_id === undefined
          ? null
          : graph.one('Quiz', `/courses/${place.course}/quizzes/${json.quiz_id}`, {}, { course: place.course }),
      discussion: ({ json, place }, _args, graph) =>
        json.discussion_topic ? graph.item('Discussion', json.discussion_topic as RestJson, { course: place.course }) : null,
      rubric: (assignment, _args, graph) => rubricOfAssignment(assignment, graph),
      rubricAssociation: ({ json, place }, _args, graph) => {
        const settings = json.rubric_settings as RestJson | undefined;
        if (!settings) return null;
        const { id: _, ...shown } = settings;
        return graph.item('RubricAssociation', { ...shown, use_for_grading: json.use_rubric_for_grading }, place);
      },
      gradingStandard: ({ json, place }, _args, graph) =>
        json.grading_standard_id === null
          ? null
          : graph.one('GradingStandard', `/courses/${place.course}/grading_standards/${json.grading_standard_id}`),
      lockInfo: ({ json }) => {
        const info = objectArg(json.lock_info);
        return { isLocked: json.locked_for_user === true, lockAt: info.lock_at, unlockAt: info.unlock_at, canView: info.can_view };
      },
      async modules(assignment, _args, graph) {
        const ids = await included('module_ids', 'module_ids')(assignment, graph);
        const { course } = assignment.place;
        return Array.isArray(ids)
          ? (
              await Promise.all(ids.map((id) => graph.one('Module', `/courses/${course}/modules/${id}`, {}, { course, module: id })))
            ).filter(Boolean)
          : [];
      },
      hasSubAssignments: isTrue('has_sub_assignments'),
      expectsSubmission: ({ json }) =>
        !((json.submission_types ?? []) as string[]).every((type) =>
          ['', 'none', 'not_graded', 'on_paper', 'external_tool'].includes(type),
        ),
      expectsExternalSubmission: ({ json }) =>
        ((json.submission_types ?? []) as string[]).some((type) => ['on_paper', 'external_tool'].includes(type)),
      nonDigitalSubmission: ({ json }) =>
        ((json.submission_types ?? []) as string[]).every((type) => ['none', 'not_graded', 'on_paper'].includes(type)),
      async scoreStatistic(assignment, _args, graph) {
        const { min, max, mean, upper_q, lower_q, median } = objectArg(await statistics(assignment, graph));
        return min === undefined ? null : { minimum: min, maximum: max, mean, upperQ: upper_q, lowerQ: lower_q, median };
      },
      sisId: key('sis_assignment_id'),
      isLockedByMasterCourse: key('restricted_by_master_course'),
      checkpoints: (assignment, _args, graph) => included('checkpoints', 'checkpoints')(assignment, graph),
      assignmentOverrides: overrides,
      assignmentTargetConnection: overrides,
      submissionsConnection: assignmentSubmissions,
      groupSubmissionsConnection: groupSubmissions,
    },
    AssignmentOverride: {
      set: targetOf,
      assignment: (override, _args, graph, info) => graph.reference('Assignment', override.json.assignment_id, info),
    },
    AdhocStudents: {
      students: ({ json, place }, _args, graph) =>
        (json.students as RestJson[]).map((student) =>
          graph.item('User', student, { course: place.course }, { path: `/courses/${place.course}/users/${student.id}` }),
        ),
    },
    PostPolicy: {
      course: ({ place }, _args, graph, info) => graph.reference('Course', place.course, info),
      assignment: ({ json }, _args, graph) => (json.assignment ? assignmentItem(graph, json.assignment as RestJson) : null),
    },
    AssignmentGroup: {
      state: () => 'available',
      sisId: key('sis_source_id'),
      rules: ({ json, place }, _args, graph) => {
        const rules = objectArg(json.rules);
        const kept = (rules.never_drop ?? []) as number[];
        return {
          dropLowest: rules.drop_lowest,
          dropHighest: rules.drop_highest,
          neverDrop: async () =>
            (
              await Promise.all(
                kept.map((id) => graph.one('Assignment', `/courses/${place.course}/assignments/${id}`, {}, { ...place, assignment: id })),
              )
            ).filter(Boolean),
        };
      },
      assignmentsConnection: (group, args, graph, info) => assignmentsOf(group.place, args, graph, info, group.json.id),
    },
  },
  loaders: {
    async Assignment(id, graph) {
      const [row] = await graph.locate<{ course: number }[]>((build) =>
        build.select({ course: assignments.course_id }).from(assignments).where(eq(assignments.id, id)),
      );
      return row ? graph.one('Assignment', `/courses/${row.course}/assignments/${id}`, {}, { course: row.course, assignment: id }) : null;
    },
    async AssignmentGroup(id, graph) {
      const [row] = await groupIn(id, graph);
      return row ? graph.one('AssignmentGroup', `/courses/${row.course}/assignment_groups/${id}`, {}, { course: row.course }) : null;
    },
  },
};

async function overrides(assignment: GraphItem, args: Args, graph: Graph) {
  if (args.orderBy) {
    const all = (await graph.all(`${pathOf(assignment)}/overrides`)) ?? [];
    const sorted = all.toSorted((one, other) => String(one.title).localeCompare(String(other.title)));
    if (objectArg(args.orderBy).direction === 'descending') sorted.reverse();
    return graph.complete(
      args,
      sorted.map((json) => graph.item('AssignmentOverride', json, assignment.place)),
    );
  }
  return graph.connection(args, `${pathOf(assignment)}/overrides`, {}, (json) => graph.item('AssignmentOverride', json, assignment.place));
}
