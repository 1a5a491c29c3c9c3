// The reports about outcomes: those of an account in the format of an import, and what students have reached.

import { ratingReached, scaledPoints } from '@carrel/shared/grading/outcome_scores';
import { type SQL, sql } from 'drizzle-orm';
import { assignedTo } from '../../rules/assigned';
import type { OutcomeRating } from '../outcomes/table';
import { conditionIf, courseRequested, type ReportCell, type ReportFile, sisIdOf } from './part';
import type { ReportRequest } from './table';

/**
 * The guid by which an import finds the row again. An outcome of another context, and one whose guid another row has, is named by its id.
 * @param row its alias
 */
const guidOf = (row: string, table: string, reference: string): string =>
  `case when ${row}.is_own and ${row}.vendor_guid <> '' and instr(${row}.vendor_guid, ' ') = 0
    and ${row}.id = (select min(same.id) from ${table} same where same.vendor_guid = ${row}.vendor_guid and same.context_type = ${row}.context_type and same.context_id = ${row}.context_id and same.workflow_state = 'active')
    then ${row}.vendor_guid else '${reference}:' || ${row}.id end`;
const groupGuid = (row: string) => guidOf(row, 'learning_outcome_groups', 'canvas_outcome_group');

const groupsHere = `select here.*, true as is_own from learning_outcome_groups here where here.context_type = 'Account' and here.workflow_state = 'active'`;

/** Groups below their parents, then outcomes: an import needs parents in earlier rows. */
const itemsOf = ({ account_id }: ReportRequest): SQL => sql`(with recursive tree(id, depth) as (
    select root.id, 0 from learning_outcome_groups root where root.context_type = 'Account' and root.context_id = ${account_id} and root.parent_outcome_group_id is null
    union all select child.id, tree.depth + 1 from learning_outcome_groups child join tree on child.parent_outcome_group_id = tree.id where child.workflow_state = 'active')
  select tree.depth * 1000000000000 + g.id as place, ${sql.raw(groupGuid('g'))} as vendor_guid, 'group' as object_type, g.title as title, g.description as description,
    null as display_name, null as calculation_method, null as calculation_int,
    (select ${sql.raw(groupGuid('p'))} from (${sql.raw(groupsHere)}) p where p.id = g.parent_outcome_group_id and p.parent_outcome_group_id is not null) as parent_guids,
    null as mastery_points, null as ratings
  from tree join (${sql.raw(groupsHere)}) g on g.id = tree.id where tree.depth > 0
  union all select 1000000000000000 + o.id, ${sql.raw(guidOf('o', 'learning_outcomes', 'canvas_outcome'))}, 'outcome', o.title, o.description, o.display_name, o.calculation_method, o.calculation_int,
    (select group_concat(${sql.raw(groupGuid('p'))}, ' ') from learning_outcome_links l join (${sql.raw(groupsHere)}) p on p.id = l.learning_outcome_group_id
      where l.learning_outcome_id = o.id and l.context_type = 'Account' and l.context_id = ${account_id} and p.parent_outcome_group_id is not null),
    o.mastery_points, o.ratings
  from (select own.*, own.context_type = 'Account' and own.context_id = ${account_id} as is_own from learning_outcomes own where own.workflow_state <> 'deleted'
    and own.id in (select l.learning_outcome_id from learning_outcome_links l where l.context_type = 'Account' and l.context_id = ${account_id})) o)`;

const itemNames = [
  'vendor_guid',
  'object_type',
  'title',
  'description',
  'display_name',
  'calculation_method',
  'calculation_int',
  'parent_guids',
];

const ratingCells = (ratings: ReportCell | undefined): ReportCell[] =>
  typeof ratings === 'string' ? (JSON.parse(ratings) as OutcomeRating[]).flatMap(({ points, description }) => [points, description]) : [];

/** In the format of an import; the ratings of an outcome continue after the last column. */
export const outcomeExport = (wanted: ReportRequest): ReportFile => ({
  name: 'outcome_export',
  from: sql`${itemsOf(wanted)} item`,
  mark: 'item.place',
  last: 'select 1000000000000000 + max(id) from learning_outcomes',
  where: [],
  columns: {
    ...Object.fromEntries(itemNames.map((name) => [name, `item.${name}`])),
    workflow_state: "'active'",
    mastery_points: 'item.mastery_points',
  },
  worked: {
    headers: ['ratings'],
    columns: { ratings: sql`item.ratings` },
    most: 4000,
    tell: async (_db, rows) => rows.map(({ ratings }) => ratingCells(ratings)),
  },
});

/** Alignments of one course that a mark can number. */
const mostAligned = 1_000_000;

/** The outcomes that the rubrics of assignments assess, numbered in each course. */
const aligned = sql`(select u.context_id as course_id, u.association_id as assignment_id, al.learning_outcome_id as outcome_id,
    row_number() over (partition by u.context_id order by u.association_id, al.learning_outcome_id) as nth
  from outcome_alignments al cross join rubric_associations u on u.rubric_id = al.content_id and u.workflow_state = 'active' and u.context_type = 'Course'
    and u.association_type = 'Assignment' and u.purpose = 'grading' where al.content_type = 'Rubric')`;

/** The first enrollment of each student in a course. */
const isFirstSeat = sql`e.type = 'StudentEnrollment' and e.enrollment_state in ('active', 'invited', 'completed', 'inactive') and not exists (select 1 from enrollments o
  where o.user_id = e.user_id and o.course_id = e.course_id and o.type = 'StudentEnrollment' and o.enrollment_state in ('active', 'invited', 'completed', 'inactive') and o.id < e.id)`;

/** Each student with the assignments that assess outcomes, submitted or not. */
export const outcomeMap = (wanted: ReportRequest): ReportFile => ({
  name: 'student_assignment_outcome_map',
  from: sql`enrollments e cross join ${aligned} al on al.course_id = e.course_id join courses c on c.id = e.course_id join users u on u.id = e.user_id
    join assignments on assignments.id = al.assignment_id join learning_outcomes o on o.id = al.outcome_id
    left join submissions s on s.assignment_id = assignments.id and s.user_id = e.user_id and s.workflow_state <> 'deleted'`,
  mark: `(e.id * ${mostAligned} + al.nth)`,
  walk: { column: 'e.id', per: mostAligned },
  last: `select max(id) * ${mostAligned} from enrollments`,
  where: [
    isFirstSeat,
    sql`u.workflow_state <> 'deleted' and u.is_test_student = 0 and c.workflow_state <> 'deleted' and assignments.workflow_state = 'published' and o.workflow_state <> 'deleted'`,
    assignedTo(sql.raw('e.user_id')),
    ...courseRequested(wanted),
  ],
  columns: {
    'student name': 'u.sortable_name',
    'student id': 'u.id',
    'student sis id': sisIdOf('u.id'),
    'assignment title': 'assignments.name',
    'assignment id': 'assignments.id',
    'submission date': 's.submitted_at',
    'submission score': 's.score',
    'learning outcome name': 'o.title',
    'learning outcome friendly name': 'o.display_name',
    'learning outcome id': 'o.id',
    'course name': 'c.name',
    'course id': 'c.id',
    'course sis id': 'c.sis_course_id',
    'assignment url': "'/courses/' || c.id || '/assignments/' || assignments.id",
  },
});

const orders = {
  users: 'ordered.user_id, ordered.course_id, ordered.learning_outcome_id, ordered.id',
  courses: 'ordered.course_id, ordered.user_id, ordered.learning_outcome_id, ordered.id',
  outcomes: 'ordered.learning_outcome_id, ordered.course_id, ordered.user_id, ordered.id',
} as const;
export const outcomeOrders = Object.keys(orders) as (keyof typeof orders)[];

/** The results until the request, so that the places of a resumed run are the same. */
const orderedResults = ({ order, now }: ReportRequest): SQL =>
  order === undefined
    ? sql`outcome_results`
    : sql`(select ordered.*, row_number() over (order by ${sql.raw(orders[order])}) as place from outcome_results ordered where ordered.created_at <= ${now})`;

const existing = sql`c.workflow_state <> 'deleted' and u.workflow_state <> 'deleted' and (r.association_type <> 'Assignment' or a.workflow_state = 'published')
  and exists (select 1 from enrollments e where e.user_id = r.user_id and e.course_id = r.course_id and e.type = 'StudentEnrollment' and e.enrollment_state in ('active', 'invited', 'completed', 'inactive'))`;

type Row = Readonly<Record<string, ReportCell>>;

/** The rating that the score has reached, and its points. */
function ratingCellsOf({ result_score, result_percent, most_points, mastery, ratings }: Row): ReportCell[] {
  const scale = JSON.parse(String(ratings)) as OutcomeRating[];
  const result = { score: result_score as number | null, percent: result_percent as number | null };
  const points = scaledPoints(result, { points_possible: Number(most_points), mastery_points: Number(mastery) });
  const reached = points === null ? undefined : ratingReached(points, scale);
  const rating = reached === undefined ? undefined : scale[reached];
  return [rating?.description ?? null, rating?.points ?? null];
}

export const outcomeResults = (wanted: ReportRequest): ReportFile => ({
  name: 'outcome_results',
  from: sql`${orderedResults(wanted)} r join users u on u.id = r.user_id join courses c on c.id = r.course_id join accounts k on k.id = c.account_id
    join learning_outcomes o on o.id = r.learning_outcome_id left join assignments a on r.association_type = 'Assignment' and a.id = r.association_id`,
  mark: wanted.order === undefined ? 'r.id' : 'r.place',
  last: wanted.order === undefined ? 'select max(id) from outcome_results' : 'select count(*) from outcome_results',
  where: [sql`r.hidden = 0 and u.is_test_student = 0`, conditionIf(!wanted.include_deleted, existing), ...courseRequested(wanted)],
  columns: {
    'student name': 'u.sortable_name',
    'student id': 'u.id',
    'student sis id': sisIdOf('u.id'),
    'assignment title': 'a.name',
    'assignment id': 'a.id',
    'assessment title': 'r.title',
    'assessment id': 'r.association_id',
    'assessment type': 'r.association_type',
    'submission date': 'r.submitted_or_assessed_at',
    'submission score': 'r.score',
    'learning outcome name': 'o.title',
    'learning outcome friendly name': 'o.display_name',
    'learning outcome id': 'o.id',
    'learning outcome points possible': 'o.points_possible',
    'learning outcome mastery score': 'o.mastery_points',
    'learning outcome mastered': 'r.mastery',
    'course name': 'c.name',
    'course id': 'c.id',
    'course sis id': 'c.sis_course_id',
    'account id': 'k.id',
    'account name': 'k.name',
  },
  worked: {
    headers: ['learning outcome rating', 'learning outcome rating points'],
    columns: {
      result_score: sql`r.score`,
      result_percent: sql`r.percent`,
      most_points: sql`o.points_possible`,
      mastery: sql`o.mastery_points`,
      ratings: sql`o.ratings`,
    },
    most: 4000,
    tell: async (_db, rows) => rows.map(ratingCellsOf),
  },
});
