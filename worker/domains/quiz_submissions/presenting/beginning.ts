// Stores the start of an attempt, whichever quiz it is at: what it presents, and that it runs.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { rejected } from '../../../http/problem';
import type { PresentedContent } from '../../quiz_questions/table';
import type { QuizSubmissionRow } from '../json';
import { type PresentedQuestion, quiz_attempts, quiz_submission_events, quiz_submissions } from '../table';

/** The version of a question that no attempt has presented before. */
export interface FreshContent {
  readonly id: number;
  readonly version: number;
  readonly content: PresentedContent;
}

/** The columns that the state of the student and the attempt share. */
export interface BegunAttempt {
  readonly started_at: string;
  readonly finished_at: null;
  readonly end_at: string | null;
  readonly score: null;
  readonly score_before_regrade: null;
  readonly fudge_points: null;
  readonly quiz_version: number;
  readonly quiz_points_possible: number;
  readonly workflow_state: 'untaken' | 'preview';
}

interface Beginning {
  readonly begun: BegunAttempt;
  readonly quiz_id: number;
  readonly attempt: number;
  readonly drawn: readonly PresentedQuestion[];
  readonly fresh: readonly FreshContent[];
  /** What a New Quiz allows the student besides. */
  readonly allowed?: Pick<QuizSubmissionRow, 'extra_attempts' | 'extra_time'>;
}

/** A concurrent start has come first. */
export const startRefusals = {
  'quiz_submissions.quiz_id': () => rejected('a quiz submission already exists', 409),
  'quiz_submissions.validation_token': () => rejected('a quiz submission already exists', 409),
};

/** Whether a version was stored by an earlier attempt. @param id, version SQL for its key */
export const isContentKept = (id: SQL, version: SQL): SQL<number> =>
  sql<number>`exists (select 1 from quiz_question_versions v where v.question_id = ${id} and v.version = ${version})`;

const keepContents = ({ db, now }: Pick<Call, 'db' | 'now'>, fresh: readonly FreshContent[]): Statement[] =>
  fresh.length === 0
    ? []
    : [
        db.build.run(
          sql`insert or ignore into quiz_question_versions (question_id, version, content, created_at)
            select value ->> 'id', value ->> 'version', value -> 'content', ${now} from json_each(${JSON.stringify(fresh)})`,
        ),
      ];

/** @param before the state of the student in the quiz; the batch breaks if it has changed since it was read */
export function beginAttempt(
  call: Pick<Call, 'db' | 'me' | 'now'> & { readonly course: CourseContext },
  before: QuizSubmissionRow | undefined,
  { begun, quiz_id, attempt, drawn, fresh, allowed }: Beginning,
): Statement[] {
  const { db, me, course, now } = call;
  const current = { ...begun, ...allowed, attempt, has_seen_results: null, updated_at: now };
  const submission = sql`(select id from quiz_submissions where quiz_id = ${quiz_id} and user_id = ${me.id})`;
  return [
    ...(before
      ? [
          db.build.run(
            sql`update quiz_submissions set validation_token = null where id = ${before.id} and not (attempt = ${before.attempt} and workflow_state = ${before.workflow_state})`,
          ),
          db.build.update(quiz_submissions).set(current).where(eq(quiz_submissions.id, before.id)),
        ]
      : [
          db.build
            .insert(quiz_submissions)
            .values({ ...current, quiz_id, course_id: course.id, user_id: me.id, validation_token: newValidationToken(), created_at: now }),
        ]),
    ...keepContents(call, fresh),
    db.build
      .insert(quiz_attempts)
      .values({ ...begun, quiz_submission_id: submission, attempt, presented: drawn, created_at: now, updated_at: now }),
    db.build.insert(quiz_submission_events).values({
      quiz_submission_id: submission,
      attempt,
      event_type: 'submission_created',
      event_data: { quiz_version: begun.quiz_version },
      created_at: now,
    }),
  ];
}

/** 64 hexadecimal digits. */
export const newValidationToken = (): string =>
  [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
