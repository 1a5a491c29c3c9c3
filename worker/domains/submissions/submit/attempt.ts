// Submitting: validation of what is sent, and the attempt created from it (reference 03 §4.4).

import { bool, idField, listOf, maybe, object, optional, referenceTo, type Shape, text, time } from '@carrel/shared/wire/fields';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import type { Statement } from '../../../database/open';
import { valuesInOrder } from '../../../database/values_in_order';
import { storableHtml } from '../../../html/kept';
import type { Call } from '../../../http/call';
import { Problem, problem, unauthorized } from '../../../http/problem';
import { mediaFields } from '../../../rules/media_comments';
import { submissionId } from '../../../rules/submission_ids';
import { applyDeductions } from '../../late_policies/apply';
import { jsonField } from '../grading/writes';
import { submissions } from '../table';
import { keepVersions } from './attempt_history';
import { hasAttempts, mayTryAgain } from './attempts';
import type { SubmitPrecondition } from './precondition';

export const submitParams = {
  submission: optional(
    object({
      submission_type: optional(text),
      body: optional(maybe(text)),
      url: optional(maybe(text)),
      file_ids: optional(listOf(idField('file'))),
      ...mediaFields,
      annotatable_attachment_id: optional(maybe(idField('file'))),
      user_id: optional(referenceTo('user')),
      submitted_at: optional(maybe(time)),
      group_comment: optional(bool),
    }),
  ),
  comment: optional(object({ text_comment: optional(maybe(text)) })),
};

export type SubmissionGiven = NonNullable<Shape<typeof submitParams>['submission']>;

/** The content of an attempt. */
interface Handed {
  readonly submission_type: string;
  readonly body: string | null;
  readonly url: string | null;
  readonly attachment_ids: number[];
  readonly media_comment_id: string | null;
  readonly media_comment_type: 'audio' | 'video' | null;
}

const empty = { body: null, url: null, attachment_ids: [], media_comment_id: null, media_comment_type: null };

/** Accepts http and https; a URL without a scheme means http. */
export function webAddress(given: string): string {
  const written = given.trim();
  const address = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(written) ? written : `http://${written.replace(/^\/\//, '')}`;
  const url = URL.parse(address);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') throw problem(400, 'the url is not valid');
  return address;
}

/** @throws Problem 400 for a file type that the assignment does not accept */
export function checkExtension(name: string, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) throw problem(400, 'unable to find extension');
  if (!allowed.includes(extension)) throw problem(400, 'filetype not allowed');
}

const takesLaunches = (type: string): boolean => type === 'external_tool' || (type.startsWith('online_') && type !== 'online_quiz');

/** A tool submits to every assignment that takes work online, but only attempts submit to quizzes. */
const accepts = ({ submission_types, is_new_quiz }: SubmitPrecondition['assignment'], type: string): boolean =>
  is_new_quiz !== 1 && (submission_types.includes(type) || (type === 'basic_lti_launch' && submission_types.some(takesLaunches)));

/** Work that was done in a tool, a media service or on a document. */
function handedElsewhere(submission_type: string, given: SubmissionGiven, { options }: SubmitPrecondition['assignment']): Handed {
  switch (submission_type) {
    case 'basic_lti_launch':
      if (!given.url) throw problem(400, 'submission[url] is missing');
      return { ...empty, submission_type, url: webAddress(given.url) };
    case 'media_recording': {
      const { media_comment_id, media_comment_type } = given;
      if (!media_comment_id) throw problem(400, 'submission[media_comment_id] is missing');
      if (!media_comment_type) throw problem(400, 'submission[media_comment_type] is missing');
      return { ...empty, submission_type, media_comment_id, media_comment_type };
    }
    case 'student_annotation':
      if (!given.annotatable_attachment_id || given.annotatable_attachment_id !== options.annotatable_attachment_id)
        throw problem(400, 'submission[annotatable_attachment_id] is not the document of the assignment');
      return { ...empty, submission_type };
    default:
      throw problem(400, 'this submission type cannot be submitted here');
  }
}

/** @throws Problem 400 with what is missing */
function handed(given: SubmissionGiven, { assignment, files }: SubmitPrecondition, from: Pick<Call, 'origin'>): Handed {
  const submission_type = given.submission_type ?? '';
  if (!accepts(assignment, submission_type)) throw problem(400, 'Invalid submission[submission_type] given');
  switch (submission_type) {
    case 'online_text_entry': {
      const body = storableHtml(given.body ?? '', from);
      if (body.trim() === '') throw problem(400, 'submission[body] is missing');
      return { ...empty, submission_type, body };
    }
    case 'online_url':
      if (!given.url) throw problem(400, 'submission[url] is missing');
      return { ...empty, submission_type, url: webAddress(given.url) };
    case 'online_upload':
      if (files.length === 0) throw problem(400, 'No valid file ids given');
      for (const { display_name } of files) checkExtension(display_name, assignment.allowed_extensions);
      return { ...empty, submission_type, attachment_ids: files.map(({ id }) => id) };
    default:
      return handedElsewhere(submission_type, given, assignment);
  }
}

/** @throws Problem 401 when the student cannot submit: not visible, locked, or no submission expected */
export function refuseClosed({ assignment, before, ...ground }: SubmitPrecondition, now: string): void {
  const isOpen =
    (assignment.effective_unlock_at ?? '') <= now && (assignment.effective_lock_at ?? '9999') > now && !ground.isLockedByModule;
  if (assignment.workflow_state !== 'published' || !ground.isStudent || !assignment.is_assigned || before?.excused || !isOpen)
    throw unauthorized();
}

/** @throws Problem 400 when the student has no attempts left */
export function refuseSpent({ assignment, before }: Pick<SubmitPrecondition, 'assignment' | 'before'>, submission_type: string): void {
  if (!mayTryAgain(assignment, before, submission_type))
    throw new Problem(400, {
      attempt: [{ attribute: 'attempt', type: 'invalid', message: "you've reached the maximum number of attempts for this assignment" }],
    });
}

/** @throws Problem 401 without permission, 400 for an invalid submission or one that is no longer accepted */
export function judgeSubmission(given: SubmissionGiven, ground: SubmitPrecondition, call: Pick<Call, 'now' | 'origin'>): Handed {
  refuseClosed(ground, call.now);
  const what = handed(given, ground, call);
  refuseSpent(ground, what.submission_type);
  return what;
}

interface Around extends Pick<Call, 'db' | 'now'> {
  readonly course: { readonly id: number };
}

/** The next attempt, for all members of a group. An existing grade stays, but no longer matches the attempt. */
export function submit(
  { db, course, now }: Around,
  { assignment, user_id, mateIds, proxy_submitter_id }: SubmitPrecondition & { readonly proxy_submitter_id: number | null },
  what: Handed,
  submitted_at: string,
): Statement[] {
  const open: SQL = sql`${hasAttempts(what.submission_type) ? assignment.allowed_attempts : -1} < 0 or coalesce(submissions.attempt, 0) < ${assignment.allowed_attempts} + coalesce(submissions.extra_attempts, 0)`;
  const own = submissionId(assignment.id, user_id);
  const all = [user_id, ...mateIds].map((one) => ({ id: submissionId(assignment.id, one), user_id: one }));
  const ids = all.map(({ id }) => id);
  const given = {
    ...what,
    proxy_submitter_id,
    submitted_at,
    workflow_state: 'submitted' as const,
    updated_at: now,
  };
  const cells = {
    id: jsonField('id'),
    course_id: sql`${course.id}`,
    assignment_id: sql`${assignment.id}`,
    user_id: jsonField('user_id'),
    attempt: sql`(select coalesce(max(earlier.attempt), 0) + 1 from submissions earlier where ${among(sql`earlier.id`, ids)})`,
    excused: sql`0`,
    is_missing_score: sql`0`,
    created_at: sql`${now}`,
    ...Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, sql`${Array.isArray(value) ? JSON.stringify(value) : value}`]),
    ),
  };
  return [
    keepVersions(db, ids, now),
    db.build
      .insert(submissions)
      // Nothing is written for the group when the student has no attempts left.
      .select(
        sql`select ${valuesInOrder(getTableColumns(submissions), cells)} from json_each(${JSON.stringify(all)}) where not exists (select 1 from submissions where submissions.id = ${own} and not (${open}))`,
      )
      .onConflictDoUpdate({
        target: submissions.id,
        set: {
          ...given,
          attempt: sql`excluded.attempt`,
          late_policy_status: null,
          seconds_late_override: null,
          custom_grade_status_id: null,
        },
      }),
    // A grade that stays is lowered for the lateness of the new attempt.
    applyDeductions(db, { existing: among(sql`s.id`, ids) }, now),
  ];
}
