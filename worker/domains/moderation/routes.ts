// Moderated grading: every endpoint (reference 03 §8).

import { ModeratedStudent, ModerationSelection, ProvisionalStatus, PublishedGrades } from '@carrel/shared/resources/moderation';
import { idField, listOf, optional, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { anonymousAssignment, isAnonymousTo } from '../../contexts/anonymous_students';
import type { CourseContext } from '../../contexts/course';
import { among } from '../../database/ids';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { startAfter } from '../../http/page';
import { badParameter, found, notFound, Problem, problem, unauthorized } from '../../http/problem';
import { all, answer, judged, list, type Reply, write } from '../../http/reply';
import { serializer } from '../../http/serializer';
import { anonymousIdOf } from '../../rules/anonymous_ids';
import { schemesOfAssignments } from '../../rules/grading_schemes';
import { notifyOfInsert } from '../../rules/notify';
import { assignmentOfSubmission, studentIn, studentOfSubmission, submissionId, submissionIdOf } from '../../rules/submission_ids';
import { anonymousIdHere, studentNamed } from '../assignments/submissions/anonymity';
import { assignments } from '../assignments/table';
import { anonymousOrderOf } from '../submissions/context';
import { performGrades } from '../submissions/grading/writes';
import { submission_comments } from '../submissions/table';
import { user } from '../users/json';
import { users } from '../users/table';
import {
  checkModerates,
  checkUnpublished,
  isGradedHere,
  isInAssignment,
  isSeenStudent,
  moderatedAssignment,
  moderatedIn,
  pathAssignment,
} from './policy';
import { type ChosenGrade, choicesOf } from './publish';
import { moderation_selections } from './table';

export const about = { title: 'Moderated grading', description: 'Provisional grades of several graders, and which of them counts.' };

const assignment = '/courses/:course_id/assignments/:assignment_id';
const grades = `${assignment}/provisional_grades` as const;

type Moderating = Pick<Call, 'db' | 'env' | 'me' | 'now'> & {
  readonly course: CourseContext;
  readonly path: { readonly assignment_id: string };
};

/** The students of the moderation set whom the caller sees. */
const moderationSet = (call: Moderating & Pick<Call, 'page'>) => {
  const student = studentOfSubmission(moderation_selections.submission_id);
  const anonymous = anonymousOrderOf(call, student);
  return rows(users, {
    from: moderation_selections,
    join: (select) => select.innerJoin(users, sql`${users.id} = ${student}`),
    where: sql`${isInAssignment('moderation_selections.submission_id', call, anonymous.length > 0 ? undefined : startAfter(call.page, 1)?.[0])} and ${isSeenStudent(call.course, student)}`,
    order: ascending(...anonymous, moderation_selections.submission_id),
  });
};

/** Provisional grades of the assignment of students whom the caller sees, and whether these are in the moderation set. */
const gradesHere = (call: Moderating, ids: readonly number[]) =>
  call.db.build.all<{ id: number; submission_id: number; selected: number | null; is_in_set: number }>(
    sql`select g.id as id, g.submission_id as submission_id, m.provisional_grade_id as selected, m.submission_id is not null as is_in_set
      from provisional_grades g left join moderation_selections m on m.submission_id = g.submission_id
      where ${among(sql`g.id`, ids)} and ${isInAssignment('g.submission_id', call)} and ${isSeenStudent(call.course, studentOfSubmission(sql.raw('g.submission_id')))} order by g.id`,
  );

/** Selects provisional grades, each for its submission. */
const selectGrades = ({ db, now }: Moderating, selected: readonly { id: number; submission_id: number }[]): Statement =>
  db.build.run(
    sql`update moderation_selections set provisional_grade_id = j.value ->> 1, updated_at = ${now} from json_each(${JSON.stringify(
      selected.map(({ id, submission_id }) => [submission_id, id]),
    )}) j where moderation_selections.submission_id = j.value ->> 0
      and not exists (select 1 from published_moderations p where p.assignment_id = ${assignmentOfSubmission(sql.raw('moderation_selections.submission_id'))})`,
  );

const selectionJson = (call: Moderating, assignment_id: number, { id, submission_id }: { id: number; submission_id: number }) => ({
  assignment_id,
  ...(isAnonymousTo(call, assignment_id, studentIn(submission_id))
    ? { anonymous_id: anonymousIdOf(call, assignment_id, studentIn(submission_id)) }
    : { student_id: studentIn(submission_id) }),
  selected_provisional_grade_id: id,
});

const namesAnonymously = ({ course, path }: Pick<Moderating, 'course' | 'path'>): boolean =>
  anonymousAssignment(course, path.assignment_id) !== undefined;

/** A student of the moderation set, by the anonymous id where the caller may not know who it is. */
const moderatedStudent = serializer({
  resource: ModeratedStudent,
  table: users,
  columns: user.columns,
  also: user.also,
  json(row: Parameters<typeof user.json>[0], call, found) {
    const anonymous_id = anonymousIdHere(call, row.id);
    return anonymous_id === undefined ? user.json(row, call, found) : { anonymous_id };
  },
});

/** The students named in a request. @throws Problem 400 for ids of users where the students are anonymous */
function chosenStudents(
  call: Moderating & { readonly params: { readonly student_ids?: readonly number[]; readonly anonymous_ids?: readonly string[] } },
): number[] {
  const { student_ids = [], anonymous_ids = [] } = call.params;
  if (student_ids.length > 0 && namesAnonymously(call))
    throw badParameter('student_ids', 'names students who are anonymous: send anonymous_ids');
  return [...new Set([...student_ids, ...anonymous_ids.map((one) => studentNamed(call, call.path.assignment_id, one))])];
}

/** Copies the comments of the chosen graders to the submissions. */
const copyComments = ({ db, now }: Moderating, choices: readonly ChosenGrade[]): Statement[] => [
  db.build.run(
    sql`insert into submission_comments (submission_id, author_id, comment, attempt, attachment_ids, is_draft, workflow_state, created_at)
      select g.submission_id, g.scorer_id, c.comment, c.attempt, c.attachment_ids, 0, 'active', c.created_at from json_each(${JSON.stringify(choices.map((one) => one.grade.id))}) j
        join provisional_grades g on g.id = j.value join provisional_comments c on c.provisional_grade_id = g.id order by c.id`,
  ),
  ...notifyOfInsert(db, submission_comments, now),
];

/** The assessments of the chosen graders become those that grade the submissions. */
const copyAssessments = ({ db, now }: Moderating, choices: readonly ChosenGrade[]): Statement =>
  db.build.run(
    sql`insert into rubric_assessments (rubric_id, rubric_association_id, course_id, assignment_id, user_id, submission_id, artifact_attempt, assessment_type, assessor_id, score, data, created_at, updated_at)
      select x.rubric_id, x.rubric_association_id, x.course_id, x.assignment_id, x.user_id, x.submission_id, x.artifact_attempt, 'grading', x.assessor_id, x.score, x.data, ${now}, ${now}
      from json_each(${JSON.stringify(choices.map((one) => one.grade.id))}) j cross join rubric_assessments x on x.provisional_grade_id = j.value where true
      on conflict (submission_id, rubric_association_id) where assessment_type = 'grading' do update set rubric_id = excluded.rubric_id, artifact_attempt = excluded.artifact_attempt,
        assessor_id = excluded.assessor_id, score = excluded.score, data = excluded.data, updated_at = excluded.updated_at`,
  );

async function publish(call: Moderating): Promise<Reply> {
  const { db, now } = call;
  const [there, candidates, selections, [scheme]] = await db.perform([
    db.build
      .select()
      .from(assignments)
      .where(sql`${assignments.id} = (${pathAssignment(call)})`),
    db.build.all<{ id: number; submission_id: number; is_final: number; score: number | null }>(
      sql`select g.id as id, g.submission_id as submission_id, g.is_final as is_final, g.score as score from provisional_grades g where ${isInAssignment('g.submission_id', call)} order by g.id`,
    ),
    db.build.all<{ submission_id: number; selected: number }>(
      sql`select m.submission_id as submission_id, m.provisional_grade_id as selected from moderation_selections m where ${isInAssignment('m.submission_id', call)} and m.provisional_grade_id is not null`,
    ),
    schemesOfAssignments(db, pathAssignment(call)),
  ]);
  const row = found(there[0]);
  checkModerates(call, moderatedIn([{ ...row, is_published: 0 }]));
  const choices = choicesOf(
    candidates.map((one) => ({ ...one, is_final: one.is_final === 1 })),
    new Map(selections.map((one) => [one.submission_id, one.selected])),
  );
  if (!choices) throw problem(422, 'a graded submission has no selected grade');
  const deeds = choices
    .filter(({ grade }) => grade.score !== null)
    .map(({ submission_id, grade }) => ({
      assignment: { ...row, scheme },
      user_id: studentIn(submission_id),
      grade: { posted_grade: String(grade.score) },
      prefersPoints: true,
    }));
  return write(
    [
      // Its key lets only one publication succeed.
      db.build.run(sql`insert into published_moderations (assignment_id, published_at) values (${row.id}, ${now})`),
      ...performGrades(call, deeds),
      ...(choices.length > 0 ? [...copyComments(call, choices), copyAssessments(call, choices)] : []),
    ],
    answer({ message: 'OK' }),
    { 'published_moderations.assignment_id': () => new Problem(400, { message: 'the grades are already published' }) },
  );
}

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
    { can: 'manage_grades', returns: [moderatedStudent], summary: 'List students selected for moderation' },
    (call) => judged(moderatedAssignment(call), (there) => checkModerates(call, moderatedIn(there)), list(moderationSet(call))),
  ),

  post(
    `${assignment}/moderated_students`,
    {
      can: 'manage_grades',
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
    { can: 'manage_grades', returns: { json: ModerationSelection }, summary: 'Select a provisional grade' },
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
      can: 'manage_grades',
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
    publish(call),
  ),
];
