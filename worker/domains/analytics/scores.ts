// The stored current score of each student of a course, by which the list of students is sorted.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { countedGroups, scoresFrom, workColumn } from '../enrollments/grades/facts';

interface WorkRow {
  /** Of the row in `course_students`. */
  readonly id: number;
  readonly course_id: number;
  readonly user_id: number;
  readonly sort_score: number;
  /** JSON: stored scores, or what they are computed from. */
  readonly work: string;
}

type Counted = Parameters<typeof scoresFrom>[1];

/** A student without a score comes before every other. */
const noScore = -1e9;

/** The work of students. @param students of `course_students cs`, with joins */
export const readWork = ({ build }: Database, students: SQL) =>
  build.all<WorkRow>(
    sql`select cs.id, cs.course_id, cs.user_id, cs.sort_score, ${workColumn(sql.raw('cs.user_id'), sql.raw('cs.course_id'))} as work from ${students}`,
  );

export const readCounted = countedGroups;

export interface StoredScore {
  readonly id: number;
  readonly score: number;
}

/** The scores that differ from the stored ones. Pure. */
export const computedScores = (work: readonly WorkRow[], counted: Counted): StoredScore[] =>
  work.flatMap((row) => {
    const score = scoresFrom(row.work, counted, { id: row.course_id })?.current_score ?? noScore;
    return score === row.sort_score ? [] : [{ id: row.id, score }];
  });

export const storeScores = ({ build }: Database, scores: readonly StoredScore[]): Statement =>
  build.run(
    sql`update course_students set sort_score = j.value ->> 'score' from json_each(${JSON.stringify(scores)}) j where course_students.id = j.value ->> 'id'`,
  );
