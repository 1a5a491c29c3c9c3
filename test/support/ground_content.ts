// Builders for content of courses, inserted directly into a database: for tests that need what no request creates, or much of it quickly.

import { randomText } from '@carrel/worker/database/tokens';
import { assignment_override_students, assignment_overrides, assignments } from '@carrel/worker/domains/assignments/table';
import { collaborations, collaborators } from '@carrel/worker/domains/collaborations/table';
import { comm_messages } from '@carrel/worker/domains/comm_messages/table';
import { content_exports } from '@carrel/worker/domains/content_exports/table';
import { content_migrations, migration_issues } from '@carrel/worker/domains/content_migrations/table';
import { content_shares } from '@carrel/worker/domains/content_shares/table';
import { discussion_entries, discussion_topics } from '@carrel/worker/domains/discussion_topics/table';
import { term_score_runs } from '@carrel/worker/domains/enrollments/grades/table';
import { eportfolio_pages, eportfolios } from '@carrel/worker/domains/eportfolios/table';
import { dead_letters } from '@carrel/worker/domains/jobs/table';
import { late_policies } from '@carrel/worker/domains/late_policies/table';
import { live_assessments } from '@carrel/worker/domains/live_assessments/table';
import { module_items, modules } from '@carrel/worker/domains/modules/table';
import { learning_outcome_groups, outcome_imports } from '@carrel/worker/domains/outcomes/table';
import { pages } from '@carrel/worker/domains/pages/table';
import { polls } from '@carrel/worker/domains/polls/table';
import { progress } from '@carrel/worker/domains/progress/table';
import { question_banks } from '@carrel/worker/domains/question_banks/table';
import { quiz_questions } from '@carrel/worker/domains/quiz_questions/table';
import { quiz_attempts, quiz_submissions } from '@carrel/worker/domains/quiz_submissions/table';
import { rubric_associations } from '@carrel/worker/domains/rubric_associations/table';
import { rubric_imports, rubrics } from '@carrel/worker/domains/rubrics/table';
import { sis_imports } from '@carrel/worker/domains/sis_imports/table';
import { submission_comments, submission_reads, submissions } from '@carrel/worker/domains/submissions/table';
import { and, eq } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

interface Named {
  readonly id: number;
}
type CourseOf = Named & { readonly assignment_group_id: number };
type Given<T extends SQLiteTable> = Partial<T['$inferInsert']>;

/** Each builder returns the id of its row. */
export function contentBuilders(db: DrizzleD1Database, at: string) {
  const created = { created_at: at, updated_at: at };
  const added = async <T extends SQLiteTable & { readonly id: SQLiteColumn }>(table: T, row: T['$inferInsert']): Promise<number> => {
    const [made] = await db
      .insert(table)
      .values(row as never)
      .returning({ id: table.id });
    return (made as Named).id;
  };

  return {
    /** A published assignment for everyone. */
    assignment: ({ id: course_id, assignment_group_id }: CourseOf, given: Given<typeof assignments> = {}) =>
      added(assignments, {
        course_id,
        assignment_group_id,
        name: 'Assignment',
        position: 1,
        workflow_state: 'published',
        lti_context_id: randomText(40),
        ...created,
        ...given,
      }),

    /** Another due date for some students, or for a section or group if it is given. */
    async override(
      { course, assignment_id, due_at }: { course: Named; assignment_id: number; due_at: string },
      students: readonly Named[],
      given: Given<typeof assignment_overrides> = {},
    ): Promise<number> {
      const dates = { due_at, due_at_overridden: true };
      const about = { assignment_id, course_id: course.id, set_type: 'ADHOC' as const, title: 'Override' };
      const id = await added(assignment_overrides, { ...about, ...dates, ...created, ...given });
      const rows = students.map((student) => ({ assignment_override_id: id, assignment_id, user_id: student.id }));
      if (rows.length > 0) await db.insert(assignment_override_students).values(rows);
      return id;
    },

    /** The submission of a student. A second call changes it. */
    async submission(course: Named, assignment_id: number, student: Named, given: Given<typeof submissions> = {}): Promise<number> {
      const id = assignment_id * 67_108_864 + student.id;
      const row = { id, course_id: course.id, assignment_id, user_id: student.id, ...created, ...given };
      await db.insert(submissions).values(row).onConflictDoUpdate({ target: submissions.id, set: row });
      return id;
    },

    latePolicy: (course: Named, given: Given<typeof late_policies> = {}) =>
      added(late_policies, { course_id: course.id, ...created, ...given }),

    comment: (submission_id: number, author: Named, given: Given<typeof submission_comments> = {}) =>
      added(submission_comments, { submission_id, author_id: author.id, comment: 'Comment', created_at: at, ...given }),

    /** Marks the grade of a submission as unread. */
    unreadGrade: (submission_id: number, reader: Named, read_at = at) =>
      db.insert(submission_reads).values({ submission_id, user_id: reader.id, item: 'grade', read: false, read_at }),

    /** A rubric of an account or a course, which may be chosen there. */
    async rubric(context_type: 'Account' | 'Course', context: Named, given: Given<typeof rubrics> = {}): Promise<number> {
      const place = { context_type, context_id: context.id };
      const rubric_id = await added(rubrics, { ...place, user_id: 1, title: 'Rubric', ...created, ...given });
      const use = { rubric_id, association_type: context_type, association_id: context.id, ...place, purpose: 'bookmark' as const };
      await added(rubric_associations, { ...use, ...created });
      return rubric_id;
    },

    /** A bank of an account or a course. */
    questionBank: (context_type: 'Account' | 'Course', context: Named, given: Given<typeof question_banks> = {}) =>
      added(question_banks, { context_type, context_id: context.id, title: 'Bank', ...created, ...given }),

    /** A question of a bank. */
    bankQuestion: (question_bank_id: number, given: Given<typeof quiz_questions> = {}) =>
      added(quiz_questions, {
        question_bank_id,
        position: 1,
        question_name: 'Question',
        question_type: 'true_false_question',
        question_text: 'True?',
        points_possible: 1,
        data: {
          answers: [
            { id: 1, text: 'True', weight: 100 },
            { id: 2, text: 'False', weight: 0 },
          ],
        },
        ...created,
        ...given,
      }),

    /** A student's state in a quiz. */
    quizSubmission: (quiz: { id: number; course_id: number }, student: Named, given: Given<typeof quiz_submissions> = {}) =>
      added(quiz_submissions, {
        quiz_id: quiz.id,
        course_id: quiz.course_id,
        user_id: student.id,
        validation_token: randomText(64),
        workflow_state: 'complete',
        attempt: 1,
        ...created,
        ...given,
      }),

    /** A job that the queue has given up on. */
    deadLetter: (message: { readonly job: string; readonly ids: number[] }) =>
      added(dead_letters, { message_id: randomText(32), job: message.job, message, attempts: 6, ...created }),

    /** The running attempt of a quiz submission has ended long ago. */
    endAttempt: async ({ id }: Named): Promise<void> => {
      const ended = { started_at: '2020-01-01T00:00:00Z', end_at: '2020-01-01T01:00:00Z' };
      await db.update(quiz_submissions).set(ended).where(eq(quiz_submissions.id, id));
      await db
        .update(quiz_attempts)
        .set(ended)
        .where(and(eq(quiz_attempts.quiz_submission_id, id), eq(quiz_attempts.workflow_state, 'untaken')));
    },

    /** The first attempt of a quiz submission, without questions. */
    quizAttempt: async (quiz_submission_id: number): Promise<void> => {
      await db.insert(quiz_attempts).values({
        quiz_submission_id,
        attempt: 1,
        presented: [],
        started_at: at,
        quiz_version: 1,
        quiz_points_possible: 0,
        workflow_state: 'complete',
        ...created,
      });
    },

    /** An import of rubrics into an account or a course. */
    rubricImport: (context_type: 'Account' | 'Course', context: Named, given: Given<typeof rubric_imports> = {}) =>
      added(rubric_imports, { context_type, context_id: context.id, user_id: 1, filename: 'rubrics.csv', size: 1, ...created, ...given }),

    liveAssessment: (course: Named, given: Given<typeof live_assessments> = {}) =>
      added(live_assessments, { course_id: course.id, key: 'ground', title: 'Check', ...created, ...given }),

    /** An import of outcomes that has ended. */
    outcomeImport: (context_type: 'Account' | 'Course', context: Named, given: Given<typeof outcome_imports> = {}) =>
      added(outcome_imports, {
        context_type,
        context_id: context.id,
        user_id: 1,
        workflow_state: 'succeeded',
        progress: 100,
        ...created,
        ...given,
      }),

    /** An export whose archive was not written. */
    contentExport: (context_type: 'Course' | 'Group' | 'User', context: Named, owner: Named, given: Given<typeof content_exports> = {}) =>
      added(content_exports, {
        context_type,
        context_id: context.id,
        user_id: owner.id,
        export_type: 'zip',
        selection: {},
        sees_all: false,
        name: 'export.zip',
        file_uuid: `${context_type} ${context.id} ${owner.id}`,
        ...created,
        ...given,
      }),

    /** Content of a course that a user has received. */
    contentShare: (
      receiver: Named,
      sender: Named,
      course: Named,
      given: Given<typeof content_shares> & { readonly content_export_id: number },
    ) =>
      added(content_shares, {
        user_id: receiver.id,
        sender_id: sender.id,
        kind: 'received',
        share_uuid: `${sender.id} to ${receiver.id}`,
        name: 'Share',
        content_type: 'assignment',
        content_id: 1,
        course_id: course.id,
        read_state: 'unread',
        ...created,
        ...given,
      }),

    /** A group of outcomes that is not a root. */
    outcomeGroup: (context_type: 'Global' | 'Account' | 'Course', context: Named, given: Given<typeof learning_outcome_groups> = {}) =>
      added(learning_outcome_groups, {
        context_type,
        context_id: context.id,
        parent_outcome_group_id: 0,
        title: 'Group',
        ...created,
        ...given,
      }),

    poll: (owner: Named, given: Given<typeof polls> = {}) => added(polls, { user_id: owner.id, question: 'Which?', ...created, ...given }),

    /** A published topic of a course, or of the given context. */
    topic: (course: Named, given: Given<typeof discussion_topics> = {}) =>
      added(discussion_topics, {
        context_type: 'Course',
        context_id: course.id,
        title: 'Topic',
        workflow_state: 'active',
        ...created,
        ...given,
      }),

    entry: (discussion_topic_id: number, author: Named, given: Given<typeof discussion_entries> = {}) =>
      added(discussion_entries, { discussion_topic_id, user_id: author.id, message: 'Entry', ...created, ...given }),

    /** A published page, which only teachers edit. */
    page: (course: Named, title: string, given: Given<typeof pages> = {}) =>
      added(pages, {
        context_type: 'Course',
        context_id: course.id,
        title,
        url: title.toLowerCase().replaceAll(' ', '-'),
        editing_roles: 'teachers',
        workflow_state: 'active',
        ...created,
        ...given,
      }),

    module: (course: Named, given: Given<typeof modules> = {}) =>
      added(modules, { course_id: course.id, name: 'Module', position: 1, workflow_state: 'active', ...created, ...given }),

    moduleItem: (course: Named, module_id: number, given: Given<typeof module_items> = {}) =>
      added(module_items, { course_id: course.id, module_id, type: 'SubHeader', title: 'Item', position: 1, ...created, ...given }),

    /** A document of an external tool, with the users and groups that edit it. */
    async collaboration(
      context: { type: 'Course' | 'Group'; id: number },
      owner: Named,
      given: Given<typeof collaborations> & { members?: readonly ({ user_id: number } | { group_id: number })[] } = {},
    ): Promise<number> {
      const { members = [], ...rest } = given;
      const of = { context_type: context.type, context_id: context.id, user_id: owner.id };
      const id = await added(collaborations, { ...of, collaboration_type: 'external_tool_collaboration', ...created, ...rest });
      if (members.length > 0) await db.insert(collaborators).values(members.map((member) => ({ collaboration_id: id, ...member })));
      return id;
    },

    /** A notification that has been sent. */
    message: (recipient: Named, given: Given<typeof comm_messages> = {}) =>
      added(comm_messages, {
        user_id: recipient.id,
        communication_channel_id: 1,
        account_id: 1,
        notification: 'new_announcement',
        from_name: 'x',
        to: 'x',
        subject: 'Subject',
        body: 'Body',
        workflow_state: 'sent',
        created_at: at,
        ...given,
      }),

    eportfolio: (owner: Named, given: Given<typeof eportfolios> = {}) =>
      added(eportfolios, { user_id: owner.id, name: 'ePortfolio', ...created, ...given }),

    eportfolioPage: (eportfolio_id: number, given: Given<typeof eportfolio_pages> = {}) =>
      added(eportfolio_pages, { eportfolio_id, section_id: 0, name: 'Page', position: 1, content: '<p>x</p>', ...created, ...given }),

    /** A started run through the courses of a term whose grading periods have changed. */
    termScoreRun: (given: Given<typeof term_score_runs>) => added(term_score_runs, given),
    /** The progress of a job, for the whole institution if no context is given. */
    progress: (given: Given<typeof progress> = {}) =>
      added(progress, { context_type: 'Account', context_id: 1, tag: 'job', ...created, ...given }),

    /** A completed migration of files. */
    contentMigration: (
      context_type: 'Course' | 'Account' | 'Group' | 'User',
      context: Named,
      owner: Named,
      given: Given<typeof content_migrations> = {},
    ) =>
      added(content_migrations, {
        uuid: randomText(40),
        context_type,
        context_id: context.id,
        user_id: owner.id,
        migration_type: 'zip_file_importer',
        workflow_state: 'imported',
        ...created,
        ...given,
      }),

    migrationIssue: (migration: number, given: Given<typeof migration_issues> = {}) =>
      added(migration_issues, {
        content_migration_id: migration,
        issue_type: 'warning',
        description: 'Something was left out.',
        ...created,
        ...given,
      }),

    /** A completed SIS import. */
    sisImport: (sender: Named, given: Given<typeof sis_imports> = {}) =>
      added(sis_imports, {
        account_id: 1,
        user_id: sender.id,
        uuid: randomText(40),
        format: 'csv',
        attachment_id: 0,
        workflow_state: 'imported',
        ...created,
        ...given,
      }),
  };
}
