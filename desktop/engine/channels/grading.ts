// The channels for people who grade: the gradebook, the grading view, and entering grades.

import { blankSubmissionVersion } from '@carrel/shared/sync/submission_version';
import type { Channel, ChannelParams } from '../../contract/channels';
import type { GradeEntry } from '../../contract/gradebook';
import { t } from '../../language/texts';
import type { Workspace } from '../accounts/workspace';
import { changesSomething, enteredGrade, type GradeBody, type GradedWork, seenStateOf, withPoint } from '../grading/grade_entry';
import { enrolledStudent, mayGrade, mayGradeWork, openGradedCourse } from '../server/grading_course';
import { wayOf } from '../server/pull';
import { chooseGraded } from '../store/kept_choices';
import { gradebookView } from '../views/gradebook';
import { gradingQueue, gradingView } from '../views/grading';
import type { ChannelGroup, ChannelGroupContext } from './group';

type GradingChannel = Extract<Channel, `gradebook.${string}` | `grading.${string}`>;

export const gradingChannels = ({ here, edited }: ChannelGroupContext): ChannelGroup<GradingChannel> => ({
  'gradebook.open': async ({ course_id }) => gradebookView(here(), course_id),
  'gradebook.choose': async ({ course_id, chosen }) => {
    chooseGraded(here().user, course_id, chosen);
    edited();
    return null;
  },
  'gradebook.enter': async ({ finished, ...given }) => {
    const ids = here().outbox.enterGrades(bodiesOf(here(), given), { finished });
    edited();
    return ids;
  },
  // Not queued: the teacher decides for the grades that the server has now, and wants to know that it is done.
  'gradebook.post': async ({ course_id, assignment_id, shown, graded_only = false }) => {
    const { session } = here();
    if (!mayGrade(here(), course_id)) throw new Error(t('why.mayNotGrade'));
    const address = `/api/v1/courses/${course_id}/assignments/${assignment_id}/${shown ? 'post' : 'hide'}_grades`;
    await session.json(address, { method: 'POST', json: shown ? { graded_only } : {} });
    edited();
    return null;
  },
  'grading.queue': async (given) => gradingQueue(here(), given),
  'grading.open': async (given) => gradingView(here(), given),
  'grading.resolve': async ({ id, with: side }) => {
    if (!here().outbox.resolveGrade(id, side)) throw new Error(t('why.decided'));
    edited();
    return null;
  },
});

/** All of them, or none: an entry that cannot be one is refused with its reason. */
function bodiesOf(workspace: Workspace, given: Omit<ChannelParams<'gradebook.enter'>, 'finished'>): GradeBody[] {
  const { cache } = workspace;
  const { course_id, assignment_id, entries } = given;
  const graded = mayGrade(workspace, course_id) ? openGradedCourse(cache, course_id) : undefined;
  const assignment = graded?.assignments.find(({ id }) => id === assignment_id);
  if (!graded || !assignment) throw new Error(t('why.assignmentGone'));
  if (entries.length === 0) throw new Error(t('why.nothingEntered'));
  const work = graded.workOf(assignment);
  const blank = wayOf(cache) === 'feed' ? blankSubmissionVersion : null;
  return entries.map(({ user_id, ...entry }) => {
    const enrollments = cache.students.enrollmentsOf(course_id, user_id);
    if (enrollments.length === 0) throw new Error(t('why.notAStudent'));
    if (!changesSomething(entry)) throw new Error(t('why.nothingEntered'));
    if (changesGrade(entry) && !mayGradeWork(assignment)) throw new Error(t('why.mayNotGrade'));
    return {
      course_id,
      assignment_id,
      user_id,
      title: assignment.name,
      student: enrolledStudent(enrollments).name,
      entry: checked(entry, work),
      known: seenStateOf(cache.students.submission(course_id, assignment_id, user_id), blank),
    };
  });
}

const changesGrade = ({ grade, excused, status, rubric }: GradeEntry): boolean =>
  grade !== undefined || excused !== undefined || status !== undefined || rubric !== undefined;

/** As it is sent. An empty text is no grade. */
function checked(entry: GradeEntry, work: GradedWork): GradeEntry {
  const { grade, comment } = entry;
  const text = typeof grade === 'string' ? withPoint(grade) : grade;
  const names = work.scheme.entries.map(({ name }) => name).join(', ');
  if (text && !enteredGrade(text, work)) throw new Error(t('why.notAGrade', { type: work.grading_type, names }));
  const { grade: _, comment: __, ...rest } = entry;
  return {
    ...rest,
    ...(text !== undefined && { grade: text === '' ? null : text }),
    ...(comment?.trim() && { comment: comment.trim() }),
  };
}
