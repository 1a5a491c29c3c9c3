// Reads the students of a request with their results, and the outcomes of the course, in one round trip.

import { asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { atMost } from '../../../database/at_most';
import type { Database } from '../../../database/open';
import { learning_outcome_groups, learning_outcome_links, learning_outcomes, outcome_positions, outcome_results } from '../table';
import { assignmentOfQuiz, courseOutcomes, filterFacts, seenResults, studentSeats } from './policy';
import { checkFilter, type ResultFilter } from './request';

export interface Seat {
  readonly user_id: number;
  readonly section_id: number;
  readonly state: string;
  readonly name: string;
  readonly short_name: string;
  readonly sortable_name: string;
  readonly avatar_url: string | null;
}

export interface StudentPage {
  readonly limit: number;
  readonly offset: number;
  readonly byName: boolean;
  readonly isDescending: boolean;
}

interface Wanted {
  readonly course: CourseContext;
  readonly me: { readonly id: number };
  readonly filter: ResultFilter;
  readonly excluded: ReadonlySet<string>;
  /** All students when absent. */
  readonly page?: StudentPage;
}

/** The students of a page; all of them without one. */
function pageOf(where: SQL, page: StudentPage | undefined): SQL {
  if (!page) return sql`select e.user_id from enrollments e where ${where}`;
  const way = sql.raw(page.isDescending ? 'desc' : 'asc');
  const order = page.byName ? sql`min(e.sortable_name) ${way}, e.user_id ${way}` : sql`e.user_id ${way}`;
  return sql`select user_id from (select e.user_id from enrollments e where ${where} group by e.user_id order by ${order} limit ${atMost(page.limit)} offset ${page.offset})`;
}

/** @throws Problem 400 for a filter that is not of the course */
export async function readResults(db: Database, { course, me, filter, excluded, page }: Wanted) {
  // Students without results must not take up places on pages.
  const isScored = sql`exists (select 1 from (select 1 from outcome_results where outcome_results.user_id = e.user_id and outcome_results.score is not null and ${seenResults(course, filter)}))`;
  const leavesOut = excluded.has('missing_user_rollups') || excluded.has('missing_outcome_results');
  const isSeat = studentSeats(course, filter, excluded);
  const where = sql`${isSeat}${leavesOut ? sql` and ${isScored}` : sql``}`;
  const students = pageOf(where, page);
  const hasUser = sql`outcome_results.user_id in (${students})`;
  const [facts, [total], seats, results, outcomes, groups, links, positions] = await db.perform([
    db.build.select(filterFacts(course, filter)).from(sql`(select 1)`),
    db.build
      .select({ count: sql<number>`count(distinct e.user_id)`.as('count') })
      .from(sql`enrollments e`)
      .where(where),
    db.build.all<Seat>(sql`select e.user_id as user_id, e.course_section_id as section_id, e.enrollment_state as state, u.name as name, u.short_name as short_name, u.sortable_name as sortable_name, u.avatar_url as avatar_url
      from (select distinct user_id from (${students})) page cross join enrollments e on e.user_id = page.user_id cross join users u on u.id = e.user_id
      where ${isSeat} order by e.user_id, e.course_section_id`),
    db.build
      .select({
        ...getTableColumns(outcome_results),
        quiz_assignment_id: assignmentOfQuiz,
      })
      .from(outcome_results)
      .where(sql`${seenResults(course, filter)} and ${hasUser}`)
      .orderBy(asc(outcome_results.id)),
    db.build.select().from(learning_outcomes).where(courseOutcomes(course, filter)).orderBy(asc(learning_outcomes.id)),
    db.build
      .select()
      .from(learning_outcome_groups)
      .where(
        sql`${eq(learning_outcome_groups.context_type, 'Course')} and ${learning_outcome_groups.context_id} = ${course.id} and ${eq(learning_outcome_groups.workflow_state, 'active')}`,
      ),
    db.build
      .select()
      .from(learning_outcome_links)
      .where(sql`${eq(learning_outcome_links.context_type, 'Course')} and ${learning_outcome_links.context_id} = ${course.id}`),
    db.build
      .select()
      .from(outcome_positions)
      .where(sql`${outcome_positions.user_id} = ${me.id} and ${outcome_positions.course_id} = ${course.id}`),
  ]);
  const [known] = facts;
  if (known) checkFilter(filter, known);
  const placeOf = new Map(positions.map((one) => [one.learning_outcome_id, one.position]));
  const last = Number.MAX_SAFE_INTEGER;
  const ordered = [...outcomes].sort((a, b) => (placeOf.get(a.id) ?? last) - (placeOf.get(b.id) ?? last) || a.id - b.id);
  return { total: total?.count ?? 0, seats, results, outcomes: ordered, groups, links };
}

export type CourseResults = Awaited<ReturnType<typeof readResults>>;
export type OutcomeOfCourse = CourseResults['outcomes'][number];
export type ResultRow = CourseResults['results'][number];
