// The history of a gradebook as clients see it: changes to be grouped by day, and submissions as of each change (reference 03 §14).

import {
  DatedGradeChange,
  GradedSubmissionVersion,
  MarkedSubmissionHistory,
  MarkedSubmissionVersion,
} from '@carrel/shared/resources/gradebook_history';
import { cut } from '@carrel/shared/resources/resource';
import { and, type SQL, sql } from 'drizzle-orm';
import { rowsOfJson } from '../../database/bundle';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { assignment } from '../assignments/json';
import { presentAssignments } from '../assignments/policy';
import { submissionAttachments } from '../assignments/submissions/attachments';
import { assignmentFactsOf, type SubmissionWithColumns } from '../assignments/submissions/columns';
import { attemptJson, ownSubmission, versionRow } from '../assignments/submissions/serializer';
import { assignments } from '../assignments/table';
import type { NamedIds } from '../audit/archived';
import { files } from '../files/table';
import { anonymousAmong, changesNamed } from '../grade_changes/json';
import { grade_changes } from '../grade_changes/table';
import { submission_versions, submissions } from '../submissions/table';
import { changesOfScore, type GradeChange, gradedAt, stateAfter } from './versions';

/** The name of the grader of grades that the service gave. */
const automatic = 'Graded on submission';
/** Versions of one submission. */
const mostVersions = 100;

interface WithName {
  readonly id: number;
  readonly name: string;
}

const people = (ids: SQL, { db }: Call) => db.build.all<WithName>(sql`select u.id, u.name from users u where u.id in (${ids})`);
const nameOf = (all: readonly WithName[], id: number | null) => (id === null ? null : (all.find((one) => one.id === id)?.name ?? null));

export const datedChange = (named: NamedIds = changesNamed) =>
  serializer({
    resource: DatedGradeChange,
    table: grade_changes,
    also: (ids, call) => ({
      graders: people(named(ids, 'grader_id'), call),
      assignments: embed(
        assignment,
        rows(assignments, { where: and(isInSelect(assignments.id, named(ids, 'assignment_id')), presentAssignments) }),
      ),
    }),
    json: (row: GradeChange, _call, { graders, assignments: all }) => ({
      created_at: row.created_at,
      grader_id: row.grader_id ?? 0,
      grader_name: nameOf(graders, row.grader_id) ?? automatic,
      assignment: all.find((one) => one.row.id === row.assignment_id)?.json,
    }),
  });

/** The latest changes of some submissions. */
const latestOf = (work: SQL, columns: SQL): SQL =>
  sql`select ${columns} from grade_changes where grade_changes.submission_id in (${work})
    and grade_changes.version_number > (select max(v.version_number) - ${mostVersions} from grade_changes v where v.submission_id = grade_changes.submission_id)`;

/**
 * What versions of submissions are made of, for the changes of a page.
 * @param graders further users to name
 */
function material(ids: SQL, call: Call, named: NamedIds, graders: SQL = sql`select null`) {
  const work = named(ids, 'submission_id');
  const { build } = call.db;
  return {
    work: embed(ownSubmission, rows(submissions, { where: isInSelect(submissions.id, work) })),
    attempts: build.select().from(submission_versions).where(isInSelect(submission_versions.submission_id, work)),
    assignments: build.all<WithName>(
      sql`select a.id, a.name from assignments a where a.id in (${named(ids, 'assignment_id')}) and a.workflow_state <> 'deleted'`,
    ),
    anonymous: anonymousAmong(named(ids, 'assignment_id'), call),
    people: people(
      sql`${named(ids, 'student_id')} union ${named(ids, 'grader_id')} union ${graders}
        union select grader_id from submissions s where s.id in (${work})`,
      call,
    ),
  };
}

interface Material {
  readonly work: readonly { readonly row: SubmissionWithColumns }[];
  readonly attempts: readonly { readonly submission_id: number; readonly attempt: number; readonly version: Record<string, unknown> }[];
  readonly assignments: readonly WithName[];
  readonly anonymous: readonly { readonly id: number }[];
  readonly people: readonly WithName[];
}

/** The submission as of a change; undefined when its assignment is deleted or hides its students, or the submission now belongs to another user. */
function versionJson(change: GradeChange, found: Material, call: Call) {
  const work = found.work.find(({ row }) => row.id === change.submission_id)?.row;
  const its = found.assignments.find(({ id }) => id === change.assignment_id);
  if (!work || !its || found.anonymous.some(({ id }) => id === change.assignment_id)) return undefined;
  const earlier = found.attempts.find(
    (one) => one.submission_id === work.id && one.attempt === change.attempt && one.attempt !== work.attempt,
  );
  const content = earlier ? versionRow(earlier.version, work) : work;
  const attachments = earlier ? () => undefined : submissionAttachments(rowsOfJson(files, work.attached), call, false);
  const row = { ...content, ...stateAfter(change, content.submission_type !== null) };
  return {
    ...attemptJson(row, assignmentFactsOf(work), call, true, attachments),
    assignment_name: its.name,
    user_name: nameOf(found.people, change.student_id) ?? '',
    grader: nameOf(found.people, change.grader_id) ?? automatic,
    current_grade: work.grade,
    current_graded_at: work.graded_at,
    current_grader: nameOf(found.people, work.grader_id),
  };
}

/** A change as a version of its submission. */
export const submissionVersion = (named: NamedIds = changesNamed) =>
  serializer({
    resource: MarkedSubmissionVersion,
    table: grade_changes,
    also: (ids, call) => material(ids, call, named),
    json(row: GradeChange, call, found) {
      const version = versionJson(row, found, call);
      return { ...version, is_hidden: !version };
    },
  });

/** The submission of a change, with the versions in which its score changed. */
export const submissionHistory = (named: NamedIds = changesNamed) =>
  serializer({
    resource: MarkedSubmissionHistory,
    table: grade_changes,
    also: (ids, call) => ({
      ...material(ids, call, named, latestOf(named(ids, 'submission_id'), sql`grade_changes.grader_id`)),
      changes: call.db.build
        .select()
        .from(grade_changes)
        .where(isInSelect(grade_changes.id, latestOf(named(ids, 'submission_id'), sql`grade_changes.id`))),
    }),
    json(row: GradeChange, call, found) {
      const all = found.changes.filter(({ submission_id }) => submission_id === row.submission_id);
      const versions = changesOfScore(all.length > 0 ? all : [row]).flatMap(([change, before]) => {
        const version = versionJson(change, found, call);
        if (!version) return [];
        return [
          cut(GradedSubmissionVersion, {
            ...version,
            previous_grade: before?.grade_after ?? null,
            previous_graded_at: before ? gradedAt(before) : null,
            previous_grader: before ? (nameOf(found.people, before.grader_id) ?? automatic) : null,
            new_grade: version.grade,
            new_graded_at: version.graded_at,
            new_grader: version.grader,
            new_score: version.score,
          }),
        ];
      });
      return { submission_id: row.submission_id, versions, is_hidden: versions.length === 0 };
    },
  });
