// Moderated grading: every endpoint (reference 03 §8).

import { ModerationSelection, ProvisionalStatus, PublishedGrades } from '@carrel/shared/resources/moderation';
import { idField, listOf, optional, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import { get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, found, notFound, problem, unauthorized } from '../../http/problem';
import { all, answer, judged, list, type Reply, write } from '../../http/reply';
import { submissionId, submissionIdOf } from '../../rules/submission_ids';
import { studentNamed } from '../assignments/submissions/anonymity';
import { anonymousOrderOf } from '../submissions/context';
import { users } from '../users/table';
import {
  checkModerates,
  checkUnpublished,
  isGradedHere,
  type Moderating,
  moderatedAssignment,
  moderatedIn,
  pathAssignment,
} from './policy';
import { publishGrades } from './publication';
import { chosenStudents, gradesHere, moderatedStudent, moderationSet, namesAnonymously, selectGrades, selectionJson } from './selection';

export const about = { title: 'Moderated grading', description: 'Provisional grades of several graders, and which of them counts.' };

const assignment = '/courses/:course_id/assignments/:assignment_id';
const grades = `${assignment}/provisional_grades` as const;

/** Who may select grades: which of these moderates the assignment is checked with it. */
const selects = ['manage_grades', 'select_final_grade'] as const;

/** Whether the caller may still grade the student provisionally. */
async function statusOf(call: Moderating, user_id: number): Promise<Reply> {
  const { db, me } = call;
  const here = pathAssignment(call);
  const [there, [student]] = await db.perform([
    moderatedAssignment(call),
    db.build.all<{ has_place: number; has_graded: number }>(
      sql`select exists (select 1 from provisional_grades g where g.submission_id = ${submissionIdOf(sql.raw('assignments.id'), sql`${user_id}`)} and g.scorer_id = ${me.id} and g.score is not null) as has_graded,
          (exists (select 1 from moderation_graders m where m.assignment_id = assignments.id and m.user_id = ${me.id})
            or (select count(*) from moderation_graders m where m.assignment_id = assignments.id) < coalesce(assignments.options ->> 'grader_count', 0)) as has_place
        from assignments where assignments.id = (${here}) and ${isGradedHere(call.course, sql`${user_id}`)}`,
    ),
  ]);
  const { is_published, moderation } = moderatedIn(there);
  const { has_place, has_graded } = found(student);
  const mayGrade = has_place === 1 || moderation.final_grader_id === me.id;
  return answer({ needs_provisional_grade: !is_published && !has_graded && mayGrade });
}

export const moderationRoutes = [
  get(
    `${assignment}/moderated_students`,
    { can: selects, returns: [moderatedStudent], summary: 'List students selected for moderation' },
    (call) => judged(moderatedAssignment(call), (there) => checkModerates(call, moderatedIn(there)), list(moderationSet(call))),
  ),

  post(
    `${assignment}/moderated_students`,
    {
      can: selects,
      params: { student_ids: optional(listOf(idField('user'))), anonymous_ids: optional(listOf(text)) },
      returns: [moderatedStudent],
      summary: 'Select students for moderation',
    },
    async (call) => {
      const { db, now } = call;
      const ids = chosenStudents(call);
      const here = pathAssignment(call);
      const [there, students] = await db.perform([
        moderatedAssignment(call),
        db.build.all<{ id: number; is_in_set: number }>(
          sql`select users.id as id, exists (select 1 from moderation_selections m where m.submission_id = ${submissionIdOf(sql.raw('assignments.id'), sql.raw('users.id'))}) as is_in_set
            from assignments join users on ${among(sql`users.id`, ids)} where assignments.id = (${here}) and ${isGradedHere(call.course, sql.raw('users.id'))}`,
        ),
      ]);
      const one = moderatedIn(there);
      checkModerates(call, one);
      checkUnpublished(one);
      if (students.length !== ids.length) throw badParameter('student_ids', 'includes a user who is not a student of this assignment');
      const added = students.filter(({ is_in_set }) => !is_in_set).map(({ id }) => id);
      return write(
        [
          db.build.run(
            sql`insert or ignore into moderation_selections (submission_id, created_at, updated_at) select value, ${now}, ${now} from json_each(${JSON.stringify(
              added.map((id) => submissionId(one.id, id)),
            )})`,
          ),
        ],
        all(
          rows(users, {
            where: among(users.id, added),
            order: ascending(...anonymousOrderOf(call, sql`${users.id}`), users.id),
          }),
        ),
      );
    },
  ),

  get(
    `${grades}/status`,
    {
      can: 'manage_grades',
      params: { student_id: idField('user') },
      returns: { json: ProvisionalStatus },
      summary: 'Get whether a student needs a provisional grade',
    },
    (call) => {
      if (namesAnonymously(call)) throw unauthorized();
      return statusOf(call, call.params.student_id);
    },
  ),

  get(
    `${assignment}/anonymous_provisional_grades/status`,
    {
      can: 'manage_grades',
      params: { anonymous_id: text },
      returns: { json: ProvisionalStatus },
      summary: 'Get whether an anonymous student needs a provisional grade',
    },
    (call) => statusOf(call, studentNamed(call, call.path.assignment_id, call.params.anonymous_id)),
  ),

  put(
    `${grades}/:provisional_grade_id/select`,
    { can: selects, returns: { json: ModerationSelection }, summary: 'Select a provisional grade' },
    async (call) => {
      if (!/^\d{1,15}$/.test(call.path.provisional_grade_id)) throw notFound();
      const [there, [grade]] = await call.db.perform([
        moderatedAssignment(call),
        gradesHere(call, [Number(call.path.provisional_grade_id)]),
      ]);
      const one = moderatedIn(there);
      checkModerates(call, one);
      checkUnpublished(one);
      if (!found(grade).is_in_set) throw problem(400, 'the student is not in the moderation set');
      return write([selectGrades(call, [found(grade)])], answer(selectionJson(call, one.id, found(grade))));
    },
  ),

  put(
    `${grades}/bulk_select`,
    {
      can: selects,
      params: { provisional_grade_ids: optional(listOf(idField('provisional_grade'))) },
      returns: { json: null },
      summary: 'Select several provisional grades',
    },
    async (call) => {
      const ids = [...new Set(call.params.provisional_grade_ids ?? [])];
      if (ids.length === 0) return answer([]);
      const [there, known] = await call.db.perform([moderatedAssignment(call), gradesHere(call, ids)]);
      const one = moderatedIn(there);
      checkModerates(call, one);
      checkUnpublished(one);
      if (known.length !== ids.length) throw badParameter('provisional_grade_ids', 'includes a grade that is not of this assignment');
      const changed = known.filter(({ id, is_in_set, selected }) => is_in_set && selected !== id);
      return write([selectGrades(call, changed)], answer(changed.map((grade) => selectionJson(call, one.id, grade))));
    },
  ),

  post(`${grades}/publish`, { can: 'manage_grades', returns: { json: PublishedGrades }, summary: 'Publish provisional grades' }, (call) =>
    publishGrades(call),
  ),
];
