// What changes of assignments, submissions and grades mean. Pure.

import { createHash } from 'node:crypto';
import type { AssignmentGroupJson, AssignmentJson, CriterionJson, EnrollmentJson, SubmissionJson } from '../model/resources';
import { plainText } from '../text/plain_text';
import { changeNews, type NewsReport, newsMeaning, reworded, textOrNull } from './meaning';

const longestExcerpt = 120;

/** The content of a rubric, stored until the user looks at it: the id, name and text of each row. */
export type KeptRows = readonly (readonly [id: string, name: string, hash: string])[];

const rowsOf = (rubric: readonly CriterionJson[] | null | undefined): string => {
  const hashOf = (row: CriterionJson) => createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 12);
  const rows: KeptRows = (rubric ?? []).map((row) => [row.id, row.description || row.id, hashOf(row)]);
  return JSON.stringify(rows);
};

const ways = (types: readonly string[] | undefined): string | undefined => types && [...types].sort().join(', ');

export const assignmentNews = newsMeaning<AssignmentJson>((before, after) => {
  if (!after) return [!!before && ['gone']];
  if (!before) return [['assignment new', { to: after.due_at ?? null }]];
  return [
    changeNews('renamed', before.name, after.name),
    changeNews('due', before.due_at ?? null, after.due_at ?? null),
    changeNews('opens', before.unlock_at ?? null, after.unlock_at ?? null),
    changeNews('closes', before.lock_at ?? null, after.lock_at ?? null),
    changeNews('points', before.points_possible, after.points_possible),
    changeNews('attempts', before.allowed_attempts, after.allowed_attempts),
    ways(before.submission_types) !== ways(after.submission_types) &&
      changeNews('handing in', ways(before.submission_types), ways(after.submission_types)),
    before.locked_for_user === true && after.locked_for_user === false && ['opened'],
    reworded('assignment', before, after),
    changeNews('rubric', rowsOf(before.rubric), rowsOf(after.rubric)),
  ];
});

export const submissionNews = newsMeaning<SubmissionJson>((before, after, { me }) => {
  if (!after) return [];
  const known = new Set((before?.submission_comments ?? []).map(({ id }) => id));
  const comments = (after.submission_comments ?? []).filter(({ id, author_id }) => !known.has(id) && author_id !== me);
  const grade = after.grade ?? textOrNull(after.score);
  const gradeBefore = before?.grade ?? textOrNull(before?.score);
  // Whether a submission that was just made is late is the user's own doing.
  const isSameWork = before !== undefined && before.submitted_at === after.submitted_at;
  return [
    grade !== null && grade !== gradeBefore && [gradeBefore ? 'grade changed' : 'grade', { from: gradeBefore ?? null, to: grade }],
    grade === null && !!gradeBefore && isSameWork && ['grade gone', { from: gradeBefore }],
    after.excused === true && before?.excused !== true && ['excused'],
    before?.excused === true && after.excused !== true && ['excuse gone'],
    isSameWork && after.missing === true && before.missing === false && ['missing'],
    isSameWork && after.late === true && before.late === false && ['late'],
    ...comments.map(
      ({ author_name, comment }): NewsReport => ['comment', { who: author_name ?? null, words: plainText(comment, longestExcerpt) }],
    ),
  ];
});

/** Of a student whom the user observes; undefined for others, empty until the server sends it. */
export function observedName(enrollments: readonly EnrollmentJson[], id: number): string | undefined {
  const found = enrollments.find(({ associated_user_id }) => associated_user_id === id);
  return found && (found.observed_user?.name ?? '');
}

/** The weight of a part of the course. */
export const assignmentGroupNews = newsMeaning<AssignmentGroupJson>((before, after) =>
  before && after ? [changeNews('renamed', before.name, after.name), changeNews('weight', before.group_weight, after.group_weight)] : [],
);
