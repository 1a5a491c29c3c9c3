// Posting grades and hiding them again: for all students of an assignment or those of some sections, in steps (reference 03 §4.8).

import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { isEnrolledStudent } from '../../../contexts/predicates';
import { atMost } from '../../../database/at_most';
import type { Database, Statement } from '../../../database/open';
import { valuesInOrder } from '../../../database/values_in_order';
import { assignedTo } from '../../../rules/assigned';
import { notifyOfUpdate } from '../../../rules/notify';
import { submissionIdOf } from '../../../rules/submission_ids';
import { assignments } from '../../assignments/table';
import { inSteps, type SteppedJob, unfinishedSteps } from '../../progress/in_steps';
import { submission_reads, submissions } from '../table';

export interface PostingWish {
  readonly does: 'post' | 'hide';
  readonly course_id: number;
  readonly assignment_id: number;
  /** Leaves submissions without a grade or comment as they are, so that what they get later stays hidden. */
  readonly graded_only: boolean;
  /** Null for all. */
  readonly section_ids: readonly number[] | null;
  /** Only these students. */
  readonly only_student_ids?: readonly number[] | undefined;
  /** All but these students. */
  readonly skip_student_ids?: readonly number[] | undefined;
}

/** Students whose grades a step changes. */
interface Window {
  readonly assignment_id: number;
  /** JSON. */
  readonly users: string;
}

const atOnce = 500;
const hasComment = sql.raw(
  "exists (select 1 from submission_comments c where c.submission_id = submissions.id and c.author_id <> submissions.user_id and c.workflow_state = 'active' and not c.is_draft)",
);
const chosen = ({ assignment_id, users }: Window): SQL =>
  sql`submissions.assignment_id = ${assignment_id} and submissions.user_id in (select value from json_each(${users})) and submissions.workflow_state <> 'deleted'`;

/** What becomes visible is unread. */
const unreadOf = (db: Database, item: 'grade' | 'comment', condition: SQL, window: Window, now: string): Statement =>
  db.build
    .insert(submission_reads)
    .select(
      sql`select submissions.id, submissions.user_id, ${item}, 0, ${now} from submissions where ${chosen(window)} and submissions.posted_at is null and ${condition}`,
    )
    .onConflictDoUpdate({
      target: [submission_reads.submission_id, submission_reads.user_id, submission_reads.item],
      set: { read: false, read_at: now },
    });

export function postStatements(db: Database, window: Window, isGradedOnly: boolean, now: string): Statement[] {
  const isGraded = sql.raw('submissions.graded_at is not null');
  const where = sql`${chosen(window)} and submissions.posted_at is null${isGradedOnly ? sql` and (${isGraded} or ${hasComment})` : sql``}`;
  const set = { posted_at: now, updated_at: now };
  const cells = {
    id: submissionIdOf(sql.raw('assignments.id'), sql.raw('j.value')),
    course_id: sql`assignments.course_id`,
    assignment_id: sql`assignments.id`,
    user_id: sql`j.value`,
    attachment_ids: sql`'[]'`,
    excused: sql`0`,
    is_missing_score: sql`0`,
    posted_at: sql`${now}`,
    workflow_state: sql`'unsubmitted'`,
    created_at: sql`${now}`,
    updated_at: sql`${now}`,
  };
  return [
    unreadOf(db, 'grade', isGraded, window, now),
    unreadOf(db, 'comment', hasComment, window, now),
    ...notifyOfUpdate(db, submissions, { set, where }, now),
    db.build.update(submissions).set(set).where(where),
    ...(isGradedOnly
      ? []
      : [
          // What students without a submission get later is posted, too.
          db.build
            .insert(submissions)
            .select(
              sql`select ${valuesInOrder(getTableColumns(submissions), cells)} from assignments cross join json_each(${window.users}) j
                where assignments.id = ${window.assignment_id} and ${assignedTo(sql.raw('j.value'))}`,
            )
            .onConflictDoNothing(),
        ]),
  ];
}

/** The identities of an anonymous assignment are revealed once everything is posted. */
const revealStudents = (db: Database, assignment_id: number, course_id: number, now: string): Statement =>
  db.build
    .update(assignments)
    .set({ anonymize_students: false, updated_at: now })
    .where(
      sql`${assignments.id} = ${assignment_id} and ${assignments.anonymize_students} = 1 and not exists (
        select 1 from (select distinct e.user_id as id from enrollments e where e.course_id = ${course_id} and ${isEnrolledStudent('e')}) student
          left join submissions s on s.assignment_id = ${assignment_id} and s.user_id = student.id and s.workflow_state <> 'deleted'
          where s.posted_at is null and (s.id is not null or ${assignedTo(sql.raw('student.id'))}))`,
    );

export const hideStatements = (db: Database, window: Window, now: string): Statement[] => [
  // What is hidden is no longer unread.
  db.build
    .update(submission_reads)
    .set({ read: true, read_at: now })
    .where(
      sql`${submission_reads.read} = 0 and (${submission_reads.submission_id}, ${submission_reads.user_id}) in (select submissions.id, submissions.user_id from submissions where ${chosen(window)})`,
    ),
  db.build
    .update(submissions)
    .set({ posted_at: null, updated_at: now })
    .where(sql`${chosen(window)} and submissions.posted_at is not null`),
];

export const postingJob: SteppedJob = {
  job: 'post_grades',
  tag: 'post_assignment_grades',
  async next(db, { after, arguments: given }, now) {
    const { does, course_id, assignment_id, graded_only, section_ids, only_student_ids, skip_student_ids } = given as PostingWish;
    const among = (ids: readonly number[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;
    const students = sql`from enrollments e where e.course_id = ${course_id} and ${isEnrolledStudent('e')}${
      section_ids === null ? sql`` : sql` and e.course_section_id in ${among(section_ids)}`
    }${only_student_ids ? sql` and e.user_id in ${among(only_student_ids)}` : sql``}${
      skip_student_ids ? sql` and e.user_id not in ${among(skip_student_ids)}` : sql``
    }`;
    const [next, [count]] = await db.perform([
      db.build.all<{ user_id: number }>(
        sql`select distinct e.user_id ${students} and e.user_id > ${after} order by e.user_id limit ${atMost(atOnce)}`,
      ),
      db.build.all<{ total: number; passed: number }>(
        sql`select count(distinct e.user_id) as total, count(distinct iif(e.user_id <= ${after}, e.user_id, null)) as passed ${students}`,
      ),
    ]);
    const isLast = next.length < atOnce;
    const window = { assignment_id, users: JSON.stringify(next.map(({ user_id }) => user_id)) };
    return {
      statements: [
        ...(does === 'post' ? postStatements(db, window, graded_only, now) : hideStatements(db, window, now)),
        ...(does === 'post' && isLast ? [revealStudents(db, assignment_id, course_id, now)] : []),
      ],
      after: Math.max(after + 1, next.at(-1)?.user_id ?? 0),
      completion: (100 * ((count?.passed ?? 0) + next.length)) / Math.max(1, count?.total ?? 0),
      ...(isLast && { end: {} }),
    };
  },
};

export const postGrades = inSteps(postingJob);
export const unfinishedPosting = unfinishedSteps(postingJob);
