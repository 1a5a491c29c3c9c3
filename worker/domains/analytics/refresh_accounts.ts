// Computes the figures of each account, by term and by state of its courses: one account in a step, all of them every few hours. Called by the
// scheduled run. Each step can be repeated.

import { wireTime } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database, Statement } from '../../database/open';
import type { AccountFigures } from './table';

const walk = 'accounts';
/** A round begins at most once in this time, except in a small institution, where each run of the chore may begin one. */
const pause = 6 * 3_600_000;

type CourseState = 'available' | 'completed';
/** Figures of the courses of a term in a state. */
interface Part {
  readonly term: number;
  readonly state: CourseState;
}
interface Sums extends Part {
  readonly courses: number;
  readonly discussion_topics: number;
  readonly media_objects: number;
  readonly attachments: number;
  readonly assignments: number;
}
interface Counted extends Part {
  readonly name: string;
  readonly count: number;
}
interface People {
  readonly term: number;
  /** `all` for users of either. */
  readonly state: CourseState | 'all';
  readonly teachers: number;
  readonly students: number;
}

export interface AccountParts {
  readonly sums: readonly Sums[];
  readonly people: readonly People[];
  readonly grades: readonly Counted[];
  readonly days: readonly Counted[];
  readonly categories: readonly Counted[];
}

const scopes = { current: ['available'], completed: ['completed'], all: ['available', 'completed'] } as const;
export type AccountScope = keyof typeof scopes;

/** The counts of the rows, added up by name. */
function addedUp(rows: readonly Counted[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { name, count } of rows) sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries(sums);
}

const countNames = ['courses', 'discussion_topics', 'media_objects', 'attachments', 'assignments'] as const;

function figuresOf(parts: AccountParts, term: number, scope: AccountScope): AccountFigures {
  const states: readonly string[] = scopes[scope];
  const own = <P extends Part>(rows: readonly P[]) => rows.filter((one) => one.term === term && states.includes(one.state));
  const sums = own(parts.sums);
  const [courses, discussion_topics, media_objects, attachments, assignments] = countNames.map((name) =>
    sums.reduce((sum, one) => sum + one[name], 0),
  ) as [number, number, number, number, number];
  // A user in both kinds of courses counts once.
  const people = parts.people.find((one) => one.term === term && one.state === (scope === 'all' ? 'all' : states[0]));
  return {
    courses,
    teachers: people?.teachers ?? 0,
    students: people?.students ?? 0,
    ...{ discussion_topics, media_objects, attachments, assignments },
    grades: addedUp(own(parts.grades)),
    by_date: addedUp(own(parts.days)),
    by_category: addedUp(own(parts.categories)),
  };
}

/** The figures of every term that has courses. Pure. */
export const accountFiguresOf = (parts: AccountParts) =>
  [...new Set(parts.sums.map(({ term }) => term))].flatMap((term_id) =>
    (Object.keys(scopes) as AccountScope[]).map((scope) => ({ term_id, scope, figures: figuresOf(parts, term_id, scope) })),
  );

const term = sql.raw('c.enrollment_term_id as term');
const state = sql.raw('c.workflow_state as state');

/** The courses of an account and of those below it. */
const coursesOf = (account_id: number): SQL =>
  sql`from account_courses ac cross join courses c on c.id = ac.course_id and c.workflow_state in ('available', 'completed') and ac.account_id = ${account_id}`;

/** Concluded courses count the members that they had. */
const isMember = sql.raw("(e.enrollment_state = 'active' or (c.workflow_state = 'completed' and e.enrollment_state = 'completed'))");
const distinct = (type: string): SQL => sql.raw(`count(distinct case when e.type = '${type}' then e.user_id end)`);
const people = (account_id: number): SQL => sql`${distinct('TeacherEnrollment')} as teachers, ${distinct('StudentEnrollment')} as students
  ${coursesOf(account_id)} cross join enrollments e on e.course_id = c.id and e.type in ('TeacherEnrollment', 'StudentEnrollment') and ${isMember}`;

const figure = (name: string): SQL => sql.raw(`coalesce(sum(f.figures ->> '$.${name}'), 0) as ${name}`);

async function readParts(db: Database, account_id: number): Promise<AccountParts> {
  const { build } = db;
  const courses = coursesOf(account_id);
  const [sums, byState, whole, grades, days, categories] = await db.perform([
    build.all<Sums>(sql`select ${term}, ${state}, count(*) as courses, ${figure('discussion_topics')}, ${figure('media_objects')}, ${figure('attachments')}, ${figure('assignments')}
      ${courses} left join course_figures f on f.course_id = c.id group by c.enrollment_term_id, c.workflow_state`),
    build.all<People>(sql`select ${term}, ${state}, ${people(account_id)} group by c.enrollment_term_id, c.workflow_state`),
    build.all<People>(sql`select ${term}, 'all' as state, ${people(account_id)} group by c.enrollment_term_id`),
    build.all<Counted>(sql`select ${term}, ${state}, g.key as name, sum(g.value) as count
      ${courses} cross join course_figures f on f.course_id = c.id cross join json_each(f.figures, '$.grades') g group by c.enrollment_term_id, c.workflow_state, g.key`),
    build.all<Counted>(sql`select ${term}, ${state}, a.day as name, sum(a.views) as count
      ${courses} cross join course_activity a on a.course_id = c.id group by c.enrollment_term_id, c.workflow_state, a.day`),
    build.all<Counted>(sql`select ${term}, ${state}, v.category as name, sum(v.views) as count
      ${courses} cross join course_categories v on v.course_id = c.id group by c.enrollment_term_id, c.workflow_state, v.category`),
  ]);
  return { sums, people: [...byState, ...whole], grades, days, categories };
}

const advance = ({ build }: Database, position: number, began_at: string): Statement =>
  build.run(sql`insert into analytics_walks (name, position, began_at) values (${walk}, ${position}, ${began_at})
    on conflict (name) do update set position = excluded.position, began_at = excluded.began_at`);

/** Replaces the figures of an account. */
const storeFigures = ({ build }: Database, account_id: number, parts: AccountParts, now: string): Statement[] => [
  build.run(sql`delete from account_figures where account_id = ${account_id}`),
  build.run(sql`insert into account_figures (account_id, term_id, scope, figures, computed_at)
    select ${account_id}, j.value ->> 'term_id', j.value ->> 'scope', j.value -> 'figures', ${now} from json_each(${JSON.stringify(accountFiguresOf(parts))}) j`),
];

/**
 * @param few courses of a small institution, at most
 * @returns whether accounts of this round are left
 */
export async function refreshAccounts(db: Database, now: string, few = 500): Promise<number> {
  const [[at], [next], [counted]] = await db.perform([
    db.build.all<{ position: number; began_at: string }>(sql`select position, began_at from analytics_walks where name = ${walk}`),
    db.build.all<{ id: number }>(
      sql`select id from accounts where id > coalesce((select position from analytics_walks where name = ${walk}), 0) and workflow_state = 'active' order by id limit 1`,
    ),
    db.build.all<{ courses: number }>(
      sql`select count(*) as courses from (select 1 from account_courses where account_id = 1 limit ${atMost(few + 1)})`,
    ),
  ]);
  const isSmall = (counted?.courses ?? 0) <= few;
  const position = at?.position ?? 0;
  const isBegun = position > 0;
  if (!isBegun && !isSmall && at !== undefined && at.began_at > wireTime(Date.parse(now) - pause)) return 0;
  if (!next) {
    if (isBegun) await db.perform([advance(db, 0, at?.began_at ?? now)]);
    return 0;
  }
  const parts = await readParts(db, next.id);
  await db.perform([...storeFigures(db, next.id, parts, now), advance(db, next.id, isBegun ? (at?.began_at ?? now) : now)]);
  return 1;
}
