// Mutations of submissions and grades.

import { eq } from 'drizzle-orm';
import { submission_comments } from '../../domains/submissions/table';
import type { Graph, GraphItem } from '../graph';
import { globalId, legacyId } from '../ids';
import { submissionItem } from '../types/submission_lists';
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
import { readSubmission, submissionPlace } from './submission_place';

async function coursePlace(input: Input, graph: Graph) {
  const assignment = inputId(input, 'assignmentId', 'Assignment');
  const course = await courseOfAssignment(assignment, graph);
  if (course === undefined) throw missing();
  return { course, assignment, path: `/courses/${course}/assignments/${assignment}` };
}

/** Posts or hides the grades of an assignment. */
const posting =
  (does: 'post_grades' | 'hide_grades') =>
  async ({ input, graph, send }: MutationCall) => {
    const { course, assignment, path } = await coursePlace(input, graph);
    const sections = input.sectionIds ? inputIds(input, 'sectionIds', 'Section') : undefined;
    const body = {
      ...(sections && { section_ids: sections }),
      ...(input.onlyStudentIds ? { only_student_ids: inputIds(input, 'onlyStudentIds', 'User') } : {}),
      ...(input.skipStudentIds ? { skip_student_ids: inputIds(input, 'skipStudentIds', 'User') } : {}),
      ...(input.gradedOnly ? { graded_only: true } : {}),
    };
    const progress = asJson(await send('POST', `${path}/${does}`, body));
    return {
      progress: graph.item('Progress', progress),
      assignment: () => graph.one('Assignment', path, {}, { course, assignment }),
      sections: () => Promise.all((sections ?? []).map((id) => graph.load('Section', id))),
    };
  };

/** Saves what a grader sets of the final grade of an enrollment. */
async function saveOverride({ input, graph, send }: Pick<MutationCall, 'input' | 'graph' | 'send'>, override: object) {
  const enrollment = await graph.load('Enrollment', legacyId(input.enrollmentId, 'Enrollment'));
  if (!enrollment) throw missing();
  const { course_id, user_id } = enrollment.json;
  const period = inputIdOrNone(input, 'gradingPeriodId', 'GradingPeriod') ?? null;
  await send('PUT', `/courses/${course_id}/gradebook/final_grade_overrides`, {
    grading_period_id: period,
    override_scores: [{ student_id: user_id, ...override }],
  });
  const all = await graph.some(`/courses/${course_id}/enrollments`, { user_id, ...(period !== null && { grading_period_id: period }) });
  const found = all?.find(({ id }) => id === enrollment.json.id);
  return { grades: found?.grades ? graph.item('Grades', { ...asJson(found.grades), enrollment: found }, enrollment.place) : null };
}

/** The newest comment of the caller. */
function commentIn(submission: GraphItem, graph: Graph): GraphItem | null {
  const own = ((submission.json.submission_comments ?? []) as { id: number; author_id: number }[]).filter(
    ({ author_id }) => author_id === graph.call.me.id,
  );
  const newest = own.sort((one, other) => other.id - one.id)[0];
  return newest ? graph.item('SubmissionComment', { ...newest, submission_id: submission.json.id }, submission.place) : null;
}

/** Of the institution. */
const customStatuses = '/accounts/1/custom_grade_statuses';

const posted = 'progress: Progress\n  assignment: Assignment\n  sections: [Section]';

export const gradingMutations: Readonly<Record<string, Mutation>> = {
  createSubmission: {
    input: `assignmentId: ID!
  submissionType: OnlineSubmissionType!
  body: String
  url: String
  fileIds: [ID!]
  mediaId: ID
  annotatableAttachmentId: ID
  resourceLinkLookupUuid: String
  studentId: ID`,
    payload: 'submission: Submission',
    async run({ input, graph, send }) {
      const { course, path } = await coursePlace(input, graph);
      const submission = {
        ...renamed(input, ['submissionType', 'body', 'url']),
        ...(input.fileIds ? { file_ids: inputIds(input, 'fileIds', 'File') } : {}),
        ...(input.mediaId ? { media_comment_id: input.mediaId } : {}),
        ...(input.annotatableAttachmentId ? { annotatable_attachment_id: inputId(input, 'annotatableAttachmentId', 'File') } : {}),
        ...(input.studentId ? { user_id: inputId(input, 'studentId', 'User') } : {}),
      };
      return { submission: submissionItem(graph, asJson(await send('POST', `${path}/submissions`, { submission })), course) };
    },
  },
  createSubmissionComment: {
    input: `submissionId: ID!
  comment: String!
  attempt: Int
  draftComment: Boolean = false
  fileIds: [ID!]
  groupComment: Boolean = false
  mediaObjectId: ID
  mediaObjectType: String
  reviewerSubmissionId: ID`,
    payload: 'submissionComment: SubmissionComment',
    async run({ input, graph, send }) {
      refuseGiven(input, ['draftComment']);
      const place = await submissionPlace(inputId(input, 'submissionId', 'Submission'), graph);
      const comment = {
        text_comment: input.comment,
        group_comment: input.groupComment === true,
        ...(input.attempt === undefined ? {} : { attempt: input.attempt }),
        ...(input.fileIds ? { file_ids: inputIds(input, 'fileIds', 'File') } : {}),
        ...(input.mediaObjectId ? { media_comment_id: input.mediaObjectId, media_comment_type: input.mediaObjectType } : {}),
      };
      await send('PUT', place.path, { comment });
      const answer = await graph.rest.read(place.path, { include: ['submission_comments'] });
      const submission = submissionItem(graph, asJson(answer?.body), place.course);
      return { submissionComment: commentIn(submission, graph) };
    },
  },
  deleteSubmissionComment: {
    input: 'submissionCommentId: ID!',
    payload: 'submissionComment: SubmissionComment',
    async run({ input, graph, send }) {
      const id = inputId(input, 'submissionCommentId', 'SubmissionComment');
      const [row] = await graph.locate<{ submission: number }[]>((build) =>
        build.select({ submission: submission_comments.submission_id }).from(submission_comments).where(eq(submission_comments.id, id)),
      );
      if (!row) throw missing();
      const place = await submissionPlace(row.submission, graph);
      const comment = asJson(await send('DELETE', `${place.path}/comments/${id}`));
      return { submissionComment: graph.item('SubmissionComment', { ...comment, submission_id: row.submission }, place) };
    },
  },
  updateSubmissionGrade: {
    typeName: 'UpdateSubmissionsGrade',
    input: 'submissionId: ID!\n  score: Float!',
    payload: 'submission: Submission\n  parentAssignmentSubmission: Submission',
    async run({ input, graph, send }) {
      const place = await submissionPlace(inputId(input, 'submissionId', 'Submission'), graph);
      await send('PUT', place.path, { submission: { posted_grade: String(input.score) }, prefer_points_over_scheme: true });
      return { submission: await readSubmission(place, graph) };
    },
  },
  updateSubmissionGradeStatus: {
    typeName: 'UpdateSubmissionsGradeStatus',
    input: 'submissionId: ID!\n  latePolicyStatus: String\n  customGradeStatusId: ID\n  checkpointTag: String',
    payload: 'submission: Submission',
    async run({ input, graph, send }) {
      refuseGiven(input, ['checkpointTag']);
      const custom = inputIdOrNone(input, 'customGradeStatusId', 'CustomGradeStatus');
      const place = await submissionPlace(inputId(input, 'submissionId', 'Submission'), graph);
      const other = input.latePolicyStatus === 'excused' ? { excuse: true } : { late_policy_status: input.latePolicyStatus ?? 'none' };
      const submission = custom ? { custom_grade_status_id: custom } : other;
      await send('PUT', place.path, { submission });
      return { submission: await readSubmission(place, graph) };
    },
  },
  upsertCustomGradeStatus: {
    input: 'id: ID\n  color: String!\n  name: String!',
    payload: 'customGradeStatus: CustomGradeStatus',
    async run({ input, graph, send }) {
      const id = inputIdOrNone(input, 'id', 'CustomGradeStatus');
      const { color, name } = input;
      const saved = id
        ? await send('PUT', `${customStatuses}/${id}`, { color, name })
        : await send('POST', customStatuses, { color, name });
      return { customGradeStatus: graph.item('CustomGradeStatus', asJson(saved)) };
    },
  },
  deleteCustomGradeStatus: {
    input: 'id: ID!',
    payload: 'customGradeStatusId: ID',
    async run({ input, send }) {
      const id = inputId(input, 'id', 'CustomGradeStatus');
      await send('DELETE', `${customStatuses}/${id}`);
      return { customGradeStatusId: globalId('CustomGradeStatus', id) };
    },
  },
  updateSubmissionsReadState: {
    input: 'submissionIds: [ID!]!\n  read: Boolean!',
    payload: 'submissions: [Submission!]',
    async run({ input, graph, send }) {
      const submissions: GraphItem[] = [];
      for (const id of fewInputIds(input, 'submissionIds', 'Submission')) {
        const place = await submissionPlace(id, graph);
        await send(input.read ? 'PUT' : 'DELETE', `${place.path}/read`);
        const found = await readSubmission(place, graph);
        if (found) submissions.push(found);
      }
      return { submissions };
    },
  },
  postAssignmentGrades: {
    input: 'assignmentId: ID!\n  gradedOnly: Boolean\n  onlyStudentIds: [ID!]\n  skipStudentIds: [ID!]\n  sectionIds: [ID!]',
    payload: posted,
    run: posting('post_grades'),
  },
  postAssignmentGradesForSections: {
    input: 'assignmentId: ID!\n  gradedOnly: Boolean\n  sectionIds: [ID!]!',
    payload: posted,
    run: posting('post_grades'),
  },
  hideAssignmentGrades: {
    input: 'assignmentId: ID!\n  onlyStudentIds: [ID!]\n  skipStudentIds: [ID!]\n  sectionIds: [ID!]',
    payload: posted,
    run: posting('hide_grades'),
  },
  hideAssignmentGradesForSections: {
    input: 'assignmentId: ID!\n  sectionIds: [ID!]!',
    payload: posted,
    run: posting('hide_grades'),
  },
  setAssignmentPostPolicy: {
    input: 'assignmentId: ID!\n  postManually: Boolean!',
    payload: 'postPolicy: PostPolicy',
    async run({ input, graph, send }) {
      const { course, assignment, path } = await coursePlace(input, graph);
      const json = asJson(await send('PUT', path, { assignment: { post_manually: input.postManually } }));
      return {
        postPolicy: graph.item(
          'PostPolicy',
          { id: `assignment:${assignment}`, post_manually: json.post_manually, assignment: json },
          { course },
        ),
      };
    },
  },
  setCoursePostPolicy: {
    input: 'courseId: ID!\n  postManually: Boolean!',
    payload: 'postPolicy: PostPolicy',
    async run({ input, graph, send }) {
      const course = inputId(input, 'courseId', 'Course');
      await send('PUT', `/courses/${course}`, { course: { post_manually: input.postManually } });
      const found = await graph.load('Course', course);
      const isManual = found?.json.post_manually;
      return {
        postPolicy:
          typeof isManual === 'boolean' ? graph.item('PostPolicy', { id: `course:${course}`, post_manually: isManual }, { course }) : null,
      };
    },
  },
  setOverrideScore: {
    input: 'enrollmentId: ID!\n  gradingPeriodId: ID\n  overrideScore: Float',
    payload: 'grades: Grades',
    async run({ input, graph, send }) {
      const score = input.overrideScore === null || input.overrideScore === undefined ? null : String(input.overrideScore);
      return await saveOverride({ input, graph, send }, { override_score: score });
    },
  },
  setOverrideStatus: {
    input: 'enrollmentId: ID!\n  gradingPeriodId: ID\n  customGradeStatusId: ID',
    payload: 'grades: Grades',
    async run({ input, graph, send }) {
      const status = inputIdOrNone(input, 'customGradeStatusId', 'CustomGradeStatus') ?? null;
      return await saveOverride({ input, graph, send }, { custom_grade_status_id: status });
    },
  },
  saveRubricAssessment: {
    input: `submissionId: ID!
  rubricAssociationId: ID!
  rubricAssessmentId: ID
  gradedAnonymously: Boolean!
  assessmentDetails: JSON!
  provisional: Boolean`,
    payload: 'rubricAssessment: RubricAssessment\n  submission: Submission',
    async run({ input, graph, send }) {
      const place = await submissionPlace(inputId(input, 'submissionId', 'Submission'), graph);
      const association = inputId(input, 'rubricAssociationId', 'RubricAssociation');
      const { course, user } = place;
      const rubric_assessment = { assessment_type: 'grading', ...asJson(input.assessmentDetails), user_id: user };
      const path = `/courses/${course}/rubric_associations/${association}/rubric_assessments`;
      const known = inputIdOrNone(input, 'rubricAssessmentId', 'RubricAssessment');
      const body = { rubric_assessment, graded_anonymously: input.gradedAnonymously, ...(input.provisional ? { provisional: true } : {}) };
      const saved = asJson(known ? await send('PUT', `${path}/${known}`, body) : await send('POST', path, body));
      return { rubricAssessment: graph.item('RubricAssessment', saved, place), submission: await readSubmission(place, graph) };
    },
  },
};
