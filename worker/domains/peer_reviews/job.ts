// The chore that assigns automatic peer reviews when their time has come, and again after later submissions (reference 03 §7).

import { type SQL, sql } from 'drizzle-orm';
import { isActiveStudent } from '../../contexts/predicates';
import type { Database, Statement } from '../../database/open';
import { countUpTo } from '../../database/retention';
import { notifyOfInsert } from '../../rules/notify';
import { studentOfSubmission, submissionId } from '../../rules/submission_ids';
import { teamOf } from '../assignments/submissions/teams';
import { type Review, reviewsToAdd, type Submitter } from './assign';
import { assessment_requests, peer_review_runs } from './table';

/** Reviews of one run; what is left is assigned by the next. */
const mostReviews = 3000;

interface Due {
  readonly assignment_id: number;
  readonly run_at: string;
  readonly review_count: number;
  readonly is_intra_group: number;
  readonly is_automatic: number;
}

/** Strictly before the tick: a submission of the same second as the recorded one would not change the recorded time. */
const isDue = (now: string): SQL => sql`peer_review_runs.run_at < ${now}`;

const nextDue = (db: Database, now: string) =>
  db.build.all<Due>(
    sql`select r.assignment_id as assignment_id, r.run_at as run_at, coalesce(a.options ->> 'peer_review_count', 0) as review_count, coalesce(a.options ->> 'intra_group_peer_reviews', 0) as is_intra_group,
        coalesce(a.workflow_state = 'published' and a.options ->> 'peer_reviews' and a.options ->> 'automatic_peer_reviews', 0) as is_automatic
      from (select * from peer_review_runs where ${isDue(now)} order by run_at limit 1) r left join assignments a on a.id = r.assignment_id`,
  );

/** Active students who have submitted, with their groups. */
const submittersOf = (db: Database, { assignment_id, is_intra_group }: Due) =>
  db.build.all<{ id: number; team: number | null }>(
    sql`select s.user_id as id, ${is_intra_group ? sql`null` : teamOf(sql.raw('s.user_id'))} as team from assignments cross join submissions s on s.assignment_id = assignments.id
      where assignments.id = ${assignment_id} and s.submission_type is not null and s.workflow_state <> 'deleted'
        and exists (select 1 from enrollments e where e.user_id = s.user_id and e.course_id = assignments.course_id and ${isActiveStudent('e')})`,
  );

/** Removed reviews count as well: what a teacher has removed is not assigned again. */
const reviewsOf = (db: Database, assignment_id: number) =>
  db.build.all<Review>(
    sql`select r.assessor_id as assessor_id, ${studentOfSubmission(sql.raw('r.submission_id'))} as author_id from assessment_requests r where r.submission_id between ${submissionId(assignment_id, 0)} and ${submissionId(assignment_id + 1, 0) - 1}`,
  );

function shuffled<T>(given: readonly T[]): T[] {
  const all = [...given];
  const random = crypto.getRandomValues(new Uint32Array(all.length));
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = (random[at] as number) % (at + 1);
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}

const insertReviews = (db: Database, { assignment_id }: Due, reviews: readonly Review[], now: string): Statement[] => [
  db.build.run(
    sql`insert or ignore into assessment_requests (assignment_id, submission_id, assessor_id, workflow_state, created_at, updated_at)
      select ${assignment_id}, value ->> 0, value ->> 1, 'assigned', ${now}, ${now} from json_each(${JSON.stringify(
        reviews.map(({ assessor_id, author_id }) => [submissionId(assignment_id, author_id), assessor_id]),
      )})`,
  ),
  ...notifyOfInsert(db, assessment_requests, now),
];

/** Assigns the reviews of one assignment. @returns how many assignments wait, as far as it was counted */
export async function assignDueReviews(db: Database, now: string): Promise<number> {
  const [[due]] = await db.perform([nextDue(db, now)]);
  if (!due) return 0;
  const [students, existing] = due.is_automatic ? await db.perform([submittersOf(db, due), reviewsOf(db, due.assignment_id)]) : [[], []];
  const submitters = students.map(({ id, team }): Submitter => ({ id, group: team }));
  const all = reviewsToAdd({ submitters: shuffled(submitters), existing, count: due.review_count });
  const reviews = all.slice(0, mostReviews);
  const done = db.build
    .delete(peer_review_runs)
    .where(sql`assignment_id = ${due.assignment_id} and run_at = ${due.run_at} and ${all.length === reviews.length ? 1 : 0}`);
  const results: readonly unknown[] = await db.perform([
    ...(reviews.length > 0 ? insertReviews(db, due, reviews, now) : []),
    done,
    countUpTo(db, sql`from peer_review_runs where ${isDue(now)}`),
  ]);
  return (results.at(-1) as { count: number }[])[0]?.count ?? 0;
}
