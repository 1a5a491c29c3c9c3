// Writing assessments, as statements for one batch (reference 03 §13.4).

import { and, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { Problem } from '../../../http/problem';
import { submissionIdOf } from '../../../rules/submission_ids';
import { flagsInCourse, isOnInCourse } from '../../features/place';
import type { AssessmentRow } from '../../rubric_assessments/table';
import { rubric_associations as associations } from '../../rubric_associations/table';
import { gradingAssociations } from '../associations/policy';
import { rubrics } from '../table';
import { type AssessmentGiven, assessmentRows, scoreOf, UnknownRating } from './score';

/** A rubric as an assignment uses it. */
export interface UsedRubric {
  readonly association: typeof associations.$inferSelect;
  readonly rubric: typeof rubrics.$inferSelect;
  /** Whether outcomes may have more points than their criterion. */
  readonly allowsExtraCredit: boolean;
}

const extraCredit = 'outcome_extra_credit';
type InCourse = Pick<CourseContext, 'id' | 'chain'>;

/** The uses of rubrics by which assignments are assessed. @param ids a select of assignments */
export const usesForGrading = ({ db }: Pick<Call, 'db'>, ids: SQL, which?: SQL) =>
  db.build
    .select()
    .from(associations)
    .where(and(gradingAssociations(ids), which))
    .orderBy(associations.id);

/** Their rubrics, in a course. */
export const rubricsForGrading = ({ db }: Pick<Call, 'db'>, ids: SQL, course: InCourse) =>
  db.build
    .select({ ...getTableColumns(rubrics), flags: flagsInCourse(extraCredit, course).as('flags') })
    .from(rubrics)
    .where(sql`${rubrics.id} in (select ${associations.rubric_id} from ${associations} where ${gradingAssociations(ids)})`);

export const pairedRubrics = (
  uses: readonly UsedRubric['association'][],
  found: readonly (UsedRubric['rubric'] & { readonly flags: string })[],
  course: InCourse,
): UsedRubric[] =>
  uses.flatMap((association) => {
    const its = found.find(({ id }) => id === association.rubric_id);
    if (!its) return [];
    const { flags, ...rubric } = its;
    return [{ association, rubric, allowsExtraCredit: isOnInCourse(extraCredit, course, flags) }];
  });

export interface Assessed {
  readonly rows: readonly AssessmentRow[];
  readonly score: number | null;
}

/** @throws Problem 400 for a rating of another criterion, and when no criterion is one of the rubric */
export function assess({ rubric, allowsExtraCredit }: UsedRubric, given: AssessmentGiven): Assessed {
  try {
    const rows = assessmentRows(rubric.criteria, given, { isFreeForm: rubric.free_form_criterion_comments, allowsExtraCredit });
    if (rows.length === 0 && Object.keys(given).length > 0) throw new Problem(400, { message: 'invalid rubric_assessment' });
    return { rows, score: scoreOf(rubric.criteria, rows) };
  } catch (error) {
    throw error instanceof UnknownRating ? new Problem(400, { message: `invalid rubric_assessment: ${error.message}` }) : error;
  }
}

/** One assessment of the work of several students, who are one student or the members of a group. */
export interface AssessmentWrite {
  readonly used: UsedRubric;
  readonly type: 'grading' | 'peer_review' | 'provisional_grade';
  /** Of a provisional assessment: it belongs to the final grade of a moderator. */
  readonly isFinal?: boolean;
  readonly assignment: { readonly id: number; readonly course_id: number };
  readonly user_ids: readonly number[];
  readonly assessed: Assessed;
}

const submissionOf = (user: SQL) => submissionIdOf(sql.raw("cast(j.value ->> 'assignment_id' as integer)"), user);
const field = (name: string) => sql.raw(`j.value ->> '${name}'`);

const conflicts = {
  grading: "(submission_id, rubric_association_id) where assessment_type = 'grading'",
  peer_review: "(submission_id, rubric_association_id, assessor_id) where assessment_type = 'peer_review'",
  provisional_grade: '(provisional_grade_id) where provisional_grade_id is not null',
} as const satisfies Record<AssessmentWrite['type'], string>;

/** Inserts or replaces them: a submission has one assessment for grading, one of each peer, and one for each provisional grade. */
function write(
  { db, me, now }: Pick<Call, 'db' | 'now'> & { readonly me: { readonly id: number } },
  type: AssessmentWrite['type'],
  given: readonly AssessmentWrite[],
): Statement {
  const items = given.map(({ used, assignment, user_ids, assessed, isFinal = false }) => ({
    rubric_id: used.rubric.id,
    rubric_association_id: used.association.id,
    course_id: assignment.course_id,
    assignment_id: assignment.id,
    user_ids,
    score: assessed.score,
    data: assessed.rows,
    is_final: isFinal,
  }));
  const submission = submissionOf(sql.raw('u.value'));
  const isProvisional = type === 'provisional_grade';
  const provisional = isProvisional
    ? sql` join provisional_grades g on g.submission_id = ${submission} and g.scorer_id = ${me.id} and g.is_final = ${field('is_final')}`
    : sql``;
  return db.build.run(sql`insert into rubric_assessments
      (rubric_id, rubric_association_id, course_id, assignment_id, user_id, submission_id, artifact_attempt, assessment_type, provisional_grade_id, assessor_id, score, data, created_at, updated_at)
    select ${field('rubric_id')}, ${field('rubric_association_id')}, ${field('course_id')}, ${field('assignment_id')}, u.value, ${submission},
      (select s.attempt from submissions s where s.id = ${submission}), ${sql.raw(`'${type}', ${isProvisional ? 'g.id' : 'null'}`)}, ${me.id}, ${field('score')}, j.value -> 'data', ${now}, ${now}
    from json_each(${JSON.stringify(items)}) j, json_each(j.value, '$.user_ids') u${provisional} where true
    on conflict ${sql.raw(conflicts[type])} do update set rubric_id = excluded.rubric_id, rubric_association_id = excluded.rubric_association_id, artifact_attempt = excluded.artifact_attempt, assessor_id = excluded.assessor_id,
      score = excluded.score, data = excluded.data, updated_at = excluded.updated_at`);
}

/** All statements for these assessments. */
export function performAssessments(
  call: Pick<Call, 'db' | 'now'> & { readonly me: { readonly id: number } },
  given: readonly AssessmentWrite[],
): Statement[] {
  const ofType = (type: AssessmentWrite['type']) => given.filter((one) => one.type === type);
  return (['grading', 'peer_review', 'provisional_grade'] as const).flatMap((type) =>
    ofType(type).length > 0 ? [write(call, type, ofType(type))] : [],
  );
}

/** Comments that are kept for each criterion of an association. */
const mostSavedComments = 50;

/** Adds comments to those that an association offers for later assessments. */
export function saveComments({ db, now }: Pick<Call, 'db' | 'now'>, association_id: number, given: AssessmentGiven): Statement[] {
  const said = Object.entries(given).flatMap(([criterion, { comments, save_comment }]) =>
    save_comment && comments?.trim() ? [{ criterion, comment: comments.trim() }] : [],
  );
  if (said.length === 0) return [];
  const known = sql`select c.key as criterion, v.value as comment from json_each(associations.summary_data, '$.saved_comments') c, json_each(c.value) v
    union select n.value ->> 'criterion', n.value ->> 'comment' from json_each(${JSON.stringify(said)}) n`;
  const ranked = sql`select criterion, comment, row_number() over (partition by criterion order by comment) as place from (${known})`;
  return [
    db.build.run(sql`update rubric_associations as associations set updated_at = ${now}, summary_data = json_set(coalesce(associations.summary_data, '{}'), '$.saved_comments',
      (select json_group_object(criterion, json(comments)) from (select criterion, json_group_array(comment) as comments from (${ranked}) where place <= ${sql.raw(String(mostSavedComments))} group by criterion)))
      where associations.id = ${association_id}`),
  ];
}
