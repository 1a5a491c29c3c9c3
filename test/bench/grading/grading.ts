// What grading costs, counted rather than timed: one submission in courses of different sizes, the scores of a course after a change of its weights,
// and the lists of a gradebook with a hundred and with a hundred thousand rows.

import { type Meter, newMeter, open } from '@carrel/worker/database/open';
import { computeStoredScores } from '@carrel/worker/domains/enrollments/grades/job';
import { type Answer, type Client, type Cost, clientOf } from '../../support/client';
import { withBinding } from '../../support/server';
import type { Recorded } from '../recording_worker/worker';
import { build, carrelWorker, startRuntime } from '../runtime';
import { scratchFolder } from '../scratch';
import type { Cell, Table } from '../table';
import { buildGradingScene, criteria, type GradedCourse, type GradingScene } from './scene';

const only = 'grading';
const sizeOf = ({ students, assignments }: GradedCourse) => `${students} × ${assignments}`;

/** A request, and where its items are if it is a list. */
interface Request {
  readonly name: string;
  readonly send: (course: GradedCourse, nth: number) => Promise<Answer>;
  readonly items?: (body: Answer['body']) => number;
  /** How many rows the response is made of, if it is not as many as items. */
  readonly madeOf?: (course: GradedCourse, items: number) => number;
}

/** Repeated for several assignments: the first change of a second writes a mark, too. */
const repeats = 4;

interface Counted {
  readonly cost: Cost;
  readonly items: number;
}

async function countedCost({ name, send, items = () => 1 }: Request, course: GradedCourse, times: number): Promise<Counted> {
  const all: Counted[] = [];
  for (let nth = 0; nth < times; nth++) {
    const answer = await send(course, nth);
    if (answer.status >= 300) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    all.push({ cost: answer.cost, items: items(answer.body) });
  }
  return all.reduce((least, one) =>
    one.cost.rows_written + one.cost.rows_read < least.cost.rows_written + least.cost.rows_read ? one : least,
  );
}

interface Callers {
  readonly teacher: Client;
  readonly student: Client;
}

const slot = (course: GradedCourse, nth: number, user: number) =>
  `/courses/${course.id}/assignments/${course.firstAssignment + nth}/submissions/${user}`;

const writes = ({ teacher, student }: Callers, scene: GradingScene): readonly Request[] => {
  const other = scene.firstOther;
  return [
    {
      name: 'A student hands in a text',
      send: (course, nth) =>
        student.post(`/courses/${course.id}/assignments/${course.firstAssignment + nth}/submissions`, {
          submission: { submission_type: 'online_text_entry', body: '<p>Mine.</p>' },
        }),
    },
    {
      name: 'First grade',
      send: (course, nth) => teacher.put(slot(course, nth, scene.student.id), { submission: { posted_grade: '7' } }),
    },
    {
      name: 'Another grade',
      send: (course, nth) => teacher.put(slot(course, nth, scene.student.id), { submission: { posted_grade: '9' } }),
    },
    {
      name: 'Another grade by rubric',
      send: (course, nth) =>
        teacher.put(slot(course, nth, other + 1), { rubric_assessment: Object.fromEntries(criteria.map((id) => [id, { points: 5 }])) }),
    },
    {
      name: 'Excused',
      send: (course, nth) => teacher.put(slot(course, nth, other + 2), { submission: { excuse: true } }),
    },
    {
      name: 'Comment',
      send: (course, nth) => teacher.put(slot(course, nth, other + 3), { comment: { text_comment: 'Well done.' } }),
    },
  ];
};

const length = (body: Answer['body']): number => body.length;
const page = 10;

const lists = ({ teacher, student }: Callers, scene: GradingScene): readonly Request[] => {
  const listAs =
    (client: Client) =>
    (
      name: string,
      rest: (course: GradedCourse) => string,
      query: object | ((course: GradedCourse) => object) = {},
      items = length,
    ): Request => ({
      name,
      send: (course) =>
        client.get(`/courses/${course.id}${rest(course)}`, { per_page: page, ...(typeof query === 'function' ? query(course) : query) }),
      items,
    });
  const list = listAs(teacher);
  /** Each item is made of all submissions of a student, and the assignments are read once. */
  const byStudent = { madeOf: ({ assignments }: GradedCourse, items: number) => (items + 1) * assignments };
  const all = { student_ids: ['all'] };
  const students = () => '/students/submissions';
  /** The day on which the first assignment was graded. */
  const day = '/gradebook_history/2026-09-01';
  return [
    list('GET …/students/submissions', students, all),
    list('GET …/students/submissions, with assignment, user and comments', students, {
      ...all,
      include: ['assignment', 'user', 'submission_comments'],
    }),
    list('GET …/students/submissions, with rubric assessments', students, {
      ...all,
      include: ['rubric_assessment', 'full_rubric_assessment'],
    }),
    list('GET …/students/submissions, by date of grading', students, { ...all, order: 'graded_at', order_direction: 'descending' }),
    {
      ...list('GET …/students/submissions, grouped, with totals', students, { ...all, grouped: true, include: ['total_scores'] }),
      ...byStudent,
    },
    listAs(student)('GET …/students/submissions of the caller', students, { student_ids: ['self'] }),
    list('GET …/students/submissions of an assignment', students, ({ firstAssignment }) => ({ ...all, assignment_ids: [firstAssignment] })),
    list('GET …/assignments/:id/submissions', ({ firstAssignment }) => `/assignments/${firstAssignment}/submissions`, {
      include: ['rubric_assessment', 'user'],
    }),
    list('GET …/gradebook_history/days', () => '/gradebook_history/days', { per_page: 5 }),
    list('GET …/gradebook_history/:date', () => day),
    list(
      'GET …/gradebook_history/:date/graders/…/submissions',
      ({ firstAssignment }) => `${day}/graders/${scene.teacher.id}/assignments/${firstAssignment}/submissions`,
      { per_page: 5 },
    ),
    list('GET …/gradebook_history/feed', () => '/gradebook_history/feed'),
    {
      ...list('GET /audit/grade_change/courses/:id', () => ''),
      send: (course) => teacher.get(`/audit/grade_change/courses/${course.id}`, { per_page: page }),
      items: ({ events }) => events.length,
    },
    { ...list('GET …/analytics/student_summaries', () => '/analytics/student_summaries'), ...byStudent },
    {
      ...list('GET …/analytics/student_summaries, by score', () => '/analytics/student_summaries', { sort_column: 'score_descending' }),
      ...byStudent,
    },
    list(
      'GET …/rubrics/:id, with assessments',
      ({ rubric }) => `/rubrics/${rubric}`,
      { include: ['assessments'], style: 'full' },
      ({ assessments }) => assessments.length,
    ),
    {
      ...list('GET …/enrollments of students, with grades', () => '/enrollments', { type: ['StudentEnrollment'] }),
      madeOf: ({ assignments }, items) => items + assignments,
    },
    {
      ...list(
        'GET …/assignments/:id/submission_summary',
        ({ firstAssignment }) => `/assignments/${firstAssignment}/submission_summary`,
        {},
        () => 1,
      ),
      madeOf: ({ students }) => students,
    },
  ];
};

/** More than another page of an index. */
const grows = (small: number, large: number): boolean => large > small * 1.15 + 5;

export async function gradingTables(): Promise<Table[]> {
  const started = Date.now();
  const scene = await buildGradingScene(scratchFolder());
  console.error(`  built in ${((Date.now() - started) / 1000).toFixed(0)} s`);
  const first = await recalculated(scene);
  const modules = await build(scratchFolder(), 'test/bench/recording_worker/worker.ts');
  const serve = async <T>(use: (callers: Callers, url: URL) => Promise<T>): Promise<T> => {
    const runtime = await startRuntime(scene.persist, [await carrelWorker('carrel', modules)]);
    const url = await runtime.unsafeGetDirectURL('carrel');
    const as = ({ token }: { token: string }) => clientOf((to, init) => fetch(to, init), url.origin, token);
    try {
      return await use({ teacher: as(scene.teacher), student: as(scene.student) }, url);
    } finally {
      await runtime.dispose();
    }
  };
  const large = scene.courses.at(-1) as GradedCourse;
  const [single, listed, change, during] = await serve(async (callers, url) => {
    const read = await listTable(lists(callers, scene), scene, url);
    const graded = await gradeTable(writes(callers, scene), scene, url);
    const asked = await callers.teacher.put(`/courses/${large.id}/assignment_groups/${large.firstGroup}`, { group_weight: 40 });
    const seen = await callers.teacher.get(`/courses/${large.id}/enrollments`, { type: ['StudentEnrollment'], per_page: page });
    return [graded, read, asked.cost, seen.cost] as const;
  });
  const again = await recalculated(scene);
  const after = await serve(
    async ({ teacher }) => (await teacher.get(`/courses/${large.id}/enrollments`, { type: ['StudentEnrollment'], per_page: page })).cost,
  );
  return [single, recalculationTable(large, { first, again, change, during, after }), listed];
}

async function gradeTable(requests: readonly Request[], { courses }: GradingScene, url: URL): Promise<Table> {
  const rows: Cell[][] = [];
  const wrong: string[] = [];
  for (const request of requests) {
    const costs: Cost[] = [];
    const statements: (readonly Recorded[])[] = [];
    for (const course of courses) {
      costs.push((await countedCost(request, course, repeats)).cost);
      statements.push(await recordedBy(url));
    }
    const [small] = costs as [Cost];
    for (const [nth, { d1_trips, rows_read, rows_written }] of costs.entries())
      if (d1_trips > 3 || grows(small.rows_read, rows_read) || grows(small.rows_written, rows_written)) {
        wrong.push(
          `${request.name} at ${sizeOf(courses[nth] as GradedCourse)}: ${d1_trips} trips, ${rows_read} rows read, ${rows_written} written`,
        );
        wrong.push(...differences(statements[0] ?? [], statements[nth] ?? []));
      }
    const each = (figure: (cost: Cost) => number): Cell => [...new Set(costs.map(figure))].join(' / ');
    rows.push([
      request.name,
      Math.max(...costs.map((cost) => cost.d1_trips)),
      ...costs.map((cost) => cost.rows_read),
      each((cost) => cost.rows_written),
    ]);
  }
  return {
    title: 'Grading one submission',
    columns: ['Write', 'Trips', ...courses.map((course) => `Rows read, ${sizeOf(course)}`), 'Rows written'],
    rows,
    notes: [
      `Students × assignments; each student has handed in everything. The least of ${repeats} repetitions. Several numbers of rows written are those of the four sizes that differ.`,
    ],
    only,
    ...(wrong.length > 0 && { wrong: wrong.join('\n') }),
  };
}

async function listTable(requests: readonly Request[], { courses }: GradingScene, url: URL): Promise<Table> {
  const [small, large] = [courses[0], courses.at(-1)] as [GradedCourse, GradedCourse];
  const rows: Cell[][] = [];
  const wrong: string[] = [];
  for (const request of requests) {
    const a = await countedCost(request, small, 2);
    const before = await recordedBy(url);
    const b = await countedCost(request, large, 2);
    const now = await recordedBy(url);
    const { madeOf = (_, items) => items } = request;
    const isMore = (madeOf(large, b.items) * a.cost.rows_read) / Math.max(1, madeOf(small, a.items)) < b.cost.rows_read;
    const isGrown = grows(a.cost.rows_read, b.cost.rows_read) && isMore;
    const said = isGrown ? 'grows' : '';
    rows.push([request.name, b.cost.d1_trips, a.items, b.items, a.cost.rows_read, b.cost.rows_read, said]);
    if (b.cost.d1_trips > 2 || isGrown)
      wrong.push(
        `${request.name}: ${a.cost.rows_read} rows of ${a.items} items, then ${b.cost.rows_read} of ${b.items}`,
        ...differences(before, now),
      );
  }
  return {
    title: `Lists of a gradebook with ${(small.students * small.assignments).toLocaleString('en-US')} and ${(large.students * large.assignments).toLocaleString('en-US')} submissions`,
    columns: ['List', 'Trips', 'Items', 'Items ×1000', 'Rows read', 'Rows ×1000', ''],
    rows,
    notes: [
      `Courses of ${sizeOf(small)} and ${sizeOf(large)}: each submission has a grade change and an assessment by rubric. Each assignment was graded on a day of its own.`,
      'A group of submissions and a summary consist of all submissions of a student, grades of the assignments of the course, and a submission summary of its students.',
    ],
    only,
    ...(wrong.length > 0 && { wrong: wrong.join('\n') }),
  };
}

/** The statements of the last request. */
async function recordedBy(url: URL): Promise<readonly Recorded[]> {
  return ((await (await fetch(new URL('/bench/trips', url))).json()) as Recorded[][]).flat();
}

/** The statements that read more than at the smaller size. */
const differences = (small: readonly Recorded[], large: readonly Recorded[]): string[] =>
  large.flatMap((one, at) => {
    const before = small[at]?.rows_read ?? 0;
    return grows(before, one.rows_read) ? [`    ${before} → ${one.rows_read}: ${one.sql.slice(0, 600)}`] : [];
  });

interface Recalculation {
  readonly runs: number;
  readonly rows_read: number;
  readonly rows_written: number;
  readonly most: number;
  readonly trips: number;
}

/** Runs the chore until no score is left to compute, as the clock does. */
const recalculated = ({ persist }: GradingScene): Promise<Recalculation> =>
  withBinding(persist, async (d1) => {
    const meters: Meter[] = [];
    for (let left = 1; left > 0; ) {
      const meter = newMeter();
      left = await computeStoredScores(open(d1, meter, 'first-primary'));
      meters.push(meter);
    }
    const sum = (figure: (meter: (typeof meters)[number]) => number) => meters.reduce((all, meter) => all + figure(meter), 0);
    return {
      runs: meters.length,
      rows_read: sum((meter) => meter.rows_read),
      rows_written: sum((meter) => meter.rows_written),
      most: Math.max(...meters.map((meter) => meter.rows_read)),
      trips: Math.max(...meters.map((meter) => meter.d1_trips)),
    };
  });

function recalculationTable(
  large: GradedCourse,
  { first, again, change, during, after }: { first: Recalculation; again: Recalculation; change: Cost; during: Cost; after: Cost },
): Table {
  const request = (name: string, cost: Cost): Cell[] => [name, '', cost.d1_trips, cost.rows_read, cost.rows_written, ''];
  const runs = (name: string, one: Recalculation): Cell[] => [name, one.runs, one.trips, one.rows_read, one.rows_written, one.most];
  return {
    title: `Scores of a course of ${sizeOf(large)} after a change of its weights`,
    columns: ['Step', 'Runs', 'Trips', 'Rows read', 'Rows written', 'Most rows read in a run'],
    rows: [
      runs('First computation, all four courses', first),
      request('The weight of a group changes', change),
      request(`A page of ${page} enrollments with grades, before the scores are stored again`, during),
      runs('Computed again by the chore', again),
      request('The same page, afterwards', after),
    ],
    notes: [
      `A run stores the scores of 50 students; the row of the course keeps how far it has come (\`course_score_marks\`). No request waits for it: a read computes the scores that are not current.`,
      `Students graded meanwhile are computed in the same runs.`,
    ],
    only,
    ...(during.d1_trips > 2 && { wrong: `a page of enrollments takes ${during.d1_trips} trips` }),
  };
}
