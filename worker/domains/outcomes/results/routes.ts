// Results and rollups of outcomes in a course: every endpoint, in the order of the API reference (04 §15).

import { csvLine } from '@carrel/shared/csv/writer';
import { scaledPoints } from '@carrel/shared/grading/outcome_scores';
import { bool, idField, listOf, optional, referenceTo, type Shape, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import { nameKey } from '../../../database/name_key';
import type { Call } from '../../../http/call';
import { get, post } from '../../../http/endpoint';
import { found, Problem, unauthorized } from '../../../http/problem';
import { answer, type Reply, rawResponse, write } from '../../../http/reply';
import { seesAllGrades } from '../../assignments/submissions/policy';
import { outcome_positions } from '../table';
import { masteryDistribution } from './distribution';
import { outcomeResultJson } from './json';
import { alignmentOf, linkedOf } from './linked';
import { numberedPages } from './paging';
import { type CourseResults, readResults } from './read';
import {
  checkIncludes,
  filterOf,
  type RollupGiven,
  type RollupRequest,
  resultFilterParams,
  resultIncludes,
  rollupIncludes,
  rollupParams,
  rollupRequestOf,
} from './request';
import { byScore, courseRollup, outcomeScoresOf, type StudentScores, studentRollups } from './rollups';

const inCourse = '/courses/:course_id';

type InCourse<P = object> = Pick<Call, 'db' | 'me' | 'tree' | 'url' | 'page' | 'origin' | 'institution' | 'include'> & {
  readonly course: NonNullable<Call['course']>;
  readonly params: P;
};

const pageOf = ({ page }: Pick<Call, 'page'>) => ({ page: page.number ?? 1, per_page: page.per_page });

/** Results are paged by student, like rollups, and all of a student are on one page. */
async function listResults(call: InCourse<Parameters<typeof filterOf>[2]>): Promise<Reply> {
  const { db, course, me, params } = call;
  checkIncludes(call.tree, resultIncludes);
  const filter = filterOf(course, me, params);
  const { page, per_page } = pageOf(call);
  const span = { limit: per_page, offset: (page - 1) * per_page, byName: false, isDescending: false };
  const results = await readResults(db, { course, me, filter, excluded: new Set(), page: span });
  const { link } = numberedPages(call.url, { page, per_page, count: results.total });
  const linked = linkedOf(results, call);
  return answer({ outcome_results: results.results.map(outcomeResultJson), ...(linked && { linked }) }, 200, { Link: link });
}

interface Computed {
  readonly found: CourseResults;
  readonly scores: StudentScores;
  readonly asked: RollupRequest;
}

/** The rollups need all students to sort them by score, and for those of the course and the file. */
async function compute(call: InCourse<RollupGiven>, isWhole: boolean): Promise<Computed> {
  const { db, course, me, params } = call;
  checkIncludes(call.tree, rollupIncludes);
  const asked = rollupRequestOf(params, call.include);
  const filter = filterOf(course, me, params);
  const { page, per_page } = pageOf(call);
  const byPage = asked.stat === undefined && asked.sort.by !== 'outcome' && !isWhole;
  const results = await readResults(db, {
    course,
    me,
    filter,
    excluded: asked.excluded,
    ...(byPage && {
      page: { limit: per_page, offset: (page - 1) * per_page, byName: asked.sort.by === 'student', isDescending: asked.isDescending },
    }),
  });
  return { found: results, scores: outcomeScoresOf(results.results, results.outcomes), asked };
}

/** The students of a page, in the order of the request. */
function orderedStudents({ found: { seats }, scores, asked }: Computed, { page, per_page }: ReturnType<typeof pageOf>): number[] {
  const ids = [...new Set(seats.map(({ user_id }) => user_id))];
  if (asked.sort.by === 'outcome') {
    const sorted = byScore(ids, scores, asked.sort.outcome_id, asked.isDescending);
    return sorted.slice((page - 1) * per_page, page * per_page);
  }
  const nameOf = new Map(seats.map((seat) => [seat.user_id, nameKey(seat.sortable_name)]));
  const before = (a: number, b: number) => {
    const [one, other] = asked.sort.by === 'student' ? [nameOf.get(a) ?? '', nameOf.get(b) ?? ''] : [a, b];
    return one < other ? -1 : one > other ? 1 : a - b;
  };
  const sorted = ids.sort(before);
  return asked.isDescending ? sorted.reverse() : sorted;
}

/** Without students and results that the request leaves out. */
function rollupsOf({ found: { seats, outcomes }, scores, asked }: Computed, students: readonly number[]) {
  const seatsOf = Map.groupBy(seats, (seat) => seat.user_id);
  const rollups = students.flatMap((id) => studentRollups(seatsOf.get(id) ?? [], outcomes, scores));
  const isLeftOut = asked.excluded.has('missing_user_rollups') || asked.excluded.has('missing_outcome_results');
  return isLeftOut ? rollups.filter((rollup) => rollup.scores.length > 0) : rollups;
}

function csvOf({ found: { seats, outcomes }, scores }: Computed): Response {
  const head = ['Student name', 'Student ID', ...outcomes.flatMap(({ title }) => [`${title} result`, `${title} mastery points`])];
  const people = [...new Map(seats.map((seat) => [seat.user_id, seat])).values()];
  const lines = people.map((seat) => [
    seat.name,
    seat.user_id,
    ...outcomes.flatMap(({ id, mastery_points }) => [scores.get(seat.user_id)?.get(id)?.score ?? '', mastery_points]),
  ]);
  const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="outcome_rollups.csv"' };
  return new Response([head, ...lines].map(csvLine).join(''), { headers });
}

async function listRollups(call: InCourse<RollupGiven>): Promise<Reply> {
  const isFile = call.url.pathname.endsWith('.csv');
  const computed = await compute(call, isFile);
  const { found: results, scores, asked } = computed;
  if (isFile) return rawResponse(csvOf(computed));
  const linked = linkedOf(results, call, call.params.rating_percents === true ? scores : undefined);
  const students = [...new Set(results.seats.map(({ user_id }) => user_id))];
  if (asked.stat !== undefined) {
    const rollups = [courseRollup(call.course.id, students, results.outcomes, scores, asked.stat)];
    return answer({ rollups, ...(linked && { linked }) });
  }
  const at = pageOf(call);
  const { pagination, link } = numberedPages(call.url, { ...at, count: results.total });
  const rollups = rollupsOf(computed, orderedStudents(computed, at));
  return answer({ rollups, meta: { pagination }, ...(linked && { linked }) }, 200, { Link: link });
}

const alignmentFilters = { only_assignment_alignments: optional(bool), show_unpublished_assignments: optional(bool) };
/** Unpublished assignments are for graders. */
const alignmentsAsked = (course: InCourse['course'], given: Shape<typeof alignmentFilters>) => ({
  onlyAssignments: given.only_assignment_alignments,
  withUnpublished: given.show_unpublished_assignments === true && seesAllGrades(course),
});
const noFilter = { users: undefined, outcome_ids: undefined, outcome_group_id: undefined, section_id: undefined, withHidden: false };

const distributionIncludes = ['alignment_distributions'] as const;

export const outcomeResultRoutes = [
  // Rollups are computed when they are read, so nothing waits to be calculated.
  post(
    '/enqueue_outcome_rollup_calculation',
    { can: 'user', returns: { json: null }, status: 204, summary: 'Request the calculation of outcome rollups' },
    () => answer(null),
  ),

  get(
    `${inCourse}/outcome_results`,
    { can: 'read', params: resultFilterParams, include: resultIncludes, returns: { json: null }, summary: 'List outcome results' },
    (call) => listResults(call),
  ),

  get(
    `${inCourse}/outcome_rollups`,
    {
      can: 'read',
      params: rollupParams,
      include: rollupIncludes,
      ending: '.csv',
      returns: { json: null },
      summary: 'List outcome rollups',
    },
    (call) => listRollups(call),
  ),

  get(
    `${inCourse}/outcomes/:outcome_id/contributing_scores`,
    {
      can: 'read',
      params: { user_ids: optional(listOf(referenceTo('user'))), ...alignmentFilters },
      returns: { json: null },
      summary: 'List the scores that contribute to an outcome',
    },
    async ({ db, course, me, params, path }) => {
      const outcome_id = found(readId(path.outcome_id));
      const filter = {
        ...filterOf(course, me, { ...params, outcome_ids: [outcome_id] }),
        ...alignmentsAsked(course, params),
      };
      const { outcomes, results } = await readResults(db, { course, me, filter, excluded: new Set() });
      const outcome = found(outcomes[0]);
      const scores = results.flatMap((result) => {
        const score = scaledPoints(result, outcome);
        return score === null ? [] : [{ user_id: String(result.user_id), alignment_id: alignmentOf(result), score }];
      });
      const alignments = [...new Map(results.map((result) => [alignmentOf(result), result]))].map(([alignment_id, result]) => ({
        alignment_id,
        associated_asset_id: String(result.association_id),
        associated_asset_name: result.title,
        associated_asset_type: result.association_type,
      }));
      return answer({ outcome: { id: String(outcome.id), title: outcome.title }, alignments, scores });
    },
  ),

  get(
    `${inCourse}/outcome_mastery_distribution`,
    {
      can: 'read',
      params: {
        exclude: optional(listOf(text)),
        outcome_ids: optional(listOf(idField('learning_outcome'))),
        student_ids: optional(listOf(referenceTo('user'))),
        add_defaults: optional(bool),
        ...alignmentFilters,
      },
      include: distributionIncludes,
      returns: { json: null },
      summary: 'Get how many students have reached each rating',
    },
    async ({ db, course, me, params, include }) => {
      const given = filterOf(course, me, { user_ids: params.student_ids, outcome_ids: params.outcome_ids });
      const filter = { ...given, ...alignmentsAsked(course, params) };
      const { outcomes, results, seats } = await readResults(db, { course, me, filter, excluded: new Set(params.exclude ?? []) });
      const scores = outcomeScoresOf(results, outcomes);
      const people = [...new Map(seats.map((seat) => [seat.user_id, seat])).values()];
      return answer({
        outcome_distributions: masteryDistribution(outcomes, scores, include.has('alignment_distributions') ? results : undefined),
        students: people.map(({ user_id, name, sortable_name }) => ({ id: String(user_id), name, sortable_name })),
      });
    },
  ),

  post(
    `${inCourse}/assign_outcome_order`,
    { can: 'read', takesArray: true, returns: { json: null }, status: 204, summary: 'Set the order of outcomes for oneself' },
    async ({ db, course, me, array }) => {
      if (!me.isKnown || !seesAllGrades(course)) throw unauthorized();
      const given = orderGiven(array);
      const filter = { ...noFilter, outcome_ids: given.map((one) => one.outcome_id) };
      const { outcomes } = await readResults(db, {
        course,
        me,
        filter: { ...filter, users: { ids: [], sisIds: [] } },
        excluded: new Set(),
      });
      const known = new Set(outcomes.map(({ id }) => id));
      const places = given.filter(({ outcome_id }) => known.has(outcome_id));
      return write(
        [
          db.build
            .delete(outcome_positions)
            .where(sql`${outcome_positions.user_id} = ${me.id} and ${outcome_positions.course_id} = ${course.id}`),
          db.build.run(sql`insert into outcome_positions (course_id, user_id, learning_outcome_id, position)
            select ${course.id}, ${me.id}, j.value ->> 'outcome_id', j.value ->> 'position' from json_each(${JSON.stringify(places)}) j where true
            on conflict do nothing`),
        ],
        answer(null, 204),
      );
    },
  ),
];

/** @throws Problem 400 unless it is a list of outcomes with positions */
function orderGiven(array: readonly unknown[] | undefined): { outcome_id: number; position: number }[] {
  const refuse = () => new Problem(400, { errors: [{ message: 'the body is not a list of outcome_id and position' }] });
  if (!array) throw refuse();
  return array.map((one) => {
    const { outcome_id, position } = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>;
    const [id, place] = [Number(outcome_id), Number(position)];
    if (!Number.isSafeInteger(id) || !Number.isSafeInteger(place)) throw refuse();
    return { outcome_id: id, position: place };
  });
}
