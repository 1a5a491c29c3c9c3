// The gradebook of the demo's seminar: weighted groups, late, missing and excused work, a rubric, peer reviews, and grades that are not yet shown.

import type { Client } from '../client';
import type { BuiltCourse, Person } from '../ground';
import * as content from './gradebook_content';
import type { DemoPeople } from './people';
import { dueIn, must } from './requests';

interface Gradebook {
  readonly as: (person: Person) => Client;
  readonly teacher: Client;
  readonly people: DemoPeople;
  readonly students: readonly Person[];
  readonly course: BuiltCourse;
  readonly at: string;
  readonly now: number;
  /** Assignment groups by name. */
  readonly groups: ReadonlyMap<string, number>;
}

/** A number from 0 to 1 that is always the same for these two, evenly spread. */
function chance(student: number, task: number): number {
  const mixed = Math.sin(student * 127.1 + task * 311.7) * 43_758.5453;
  return mixed - Math.floor(mixed);
}

/** How good a student is: most reach between 70 and 95 percent, a few less. */
const ability = (student: number): number =>
  0.66 + 0.3 * ((chance(student, 1) + chance(student, 2) + chance(student, 3)) / 3 + 0.1 * chance(student, 4));

/** The points of a student in a task, in steps of a half. */
export function pointsOf(student: number, task: number, points: number): number {
  const share = Math.min(1, ability(student) + 0.3 * (chance(student, task + 10) - 0.55));
  return Math.round(share * points * 2) / 2;
}

const remarkOn = (share: number, turn: number): string => {
  const { good, fair, weak } = content.remarks;
  const of = share > 0.88 ? good : share > 0.74 ? fair : weak;
  return of[turn % of.length] as string;
};

/** Sends eight requests at a time. */
async function each<T>(items: readonly T[], send: (item: T, turn: number) => Promise<unknown>): Promise<void> {
  const waiting = [...items.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await send(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

export async function keepGradebook(
  as: (person: Person) => Client,
  people: DemoPeople,
  course: BuiltCourse,
  now: number,
  visit_id: number,
): Promise<void> {
  const teacher = as(people.teacher);
  const at = `/courses/${course.id}`;
  const groups = await weighGroups(teacher, at);
  const all: Gradebook = {
    as,
    teacher,
    people,
    students: [people.student, people.student2, ...people.others],
    course,
    at,
    now,
    groups,
  };
  must(await teacher.post(`${at}/late_policy`, { late_policy: content.demoLatePolicy }), 'a late policy');
  await gradePaper(all);
  await reflect(all, visit_id);
  await review(all, await assess(all));
  await moderate(all);
  await addColumn(all);
}

/** Weights the groups by a letter scale of the course. @returns their ids */
async function weighGroups(teacher: Client, at: string): Promise<ReadonlyMap<string, number>> {
  const standard = must(await teacher.post(`${at}/grading_standards`, content.scale, { json: true }), 'a grading standard');
  must(await teacher.put(at, { course: { apply_assignment_group_weights: true, grading_standard_id: standard.id } }), 'weights');
  const found = new Map<string, number>();
  for (const { id, name } of must(await teacher.get(`${at}/assignment_groups`), 'groups')) {
    if (name in content.weights) found.set(name, id);
    // The default group of a new course; everything is in a group of its own.
    else must(await teacher.del(`${at}/assignment_groups/${id}`), name);
  }
  for (const [name, { group_weight }] of Object.entries(content.weights)) {
    const id = found.get(name);
    if (id) must(await teacher.put(`${at}/assignment_groups/${id}`, { group_weight }), name);
    else found.set(name, must(await teacher.post(`${at}/assignment_groups`, { name, group_weight }), name).id);
  }
  return found;
}

interface Assigned {
  readonly name: string;
  readonly group: string;
  readonly due: number;
  readonly points: number;
  readonly [more: string]: unknown;
}

async function assign({ teacher, at, now, groups }: Gradebook, { group, due, points, ...more }: Assigned) {
  const assignment = {
    assignment_group_id: groups.get(group),
    due_at: dueIn(due, now),
    points_possible: points,
    published: true,
    submission_types: ['online_text_entry'],
    ...more,
  };
  return must(await teacher.post(`${at}/assignments`, { assignment }), more.name).id as number;
}

async function gradePaper(all: Gradebook): Promise<void> {
  const { teacher, at, students, groups } = all;
  for (const [turn, { isHidden, graded, grading_type, ...paper }] of content.onPaper.entries()) {
    const id = await assign(all, {
      ...paper,
      submission_types: ['on_paper'],
      ...(grading_type && { grading_type }),
      ...(isHidden && { post_manually: true }),
    });
    const grades = students.slice(0, Math.ceil(students.length * graded)).map((student, at) => {
      const points = pointsOf(at, turn, paper.points);
      const isIll = student === all.people.others[17] && turn === 3;
      return [student.id, isIll ? { excuse: true, text_comment: 'Get well soon.' } : { posted_grade: points }];
    });
    must(await teacher.post(`${at}/assignments/${id}/submissions/update_grades`, { grade_data: Object.fromEntries(grades) }), paper.name);
  }
  for (const [name, { drop_lowest }] of Object.entries(content.weights))
    if (drop_lowest) must(await teacher.put(`${at}/assignment_groups/${groups.get(name)}`, { rules: { drop_lowest } }), name);
}

const handIn = async ({ as, at }: Gradebook, id: number, student: Person, body: string) =>
  must(
    await as(student).post(`${at}/assignments/${id}/submissions`, { submission: { submission_type: 'online_text_entry', body } }),
    'a submission',
  );

/** The reflection on the archive: the demo student and two others are late, one has handed in nothing, and one was ill. */
async function reflect(all: Gradebook, id: number): Promise<void> {
  const { teacher, at, students, people } = all;
  const late = new Map([people.student, people.others[6], people.others[19]].map((one, turn) => [one, content.visit.late[turn]]));
  const [absent, ill] = [people.student2, people.others[17]];
  await each(students, async (student, turn) => {
    const grade = async (submission: object, text_comment?: string) =>
      must(
        await teacher.put(`${at}/assignments/${id}/submissions/${student.id}`, {
          submission,
          ...(text_comment && { comment: { text_comment } }),
        }),
        'a grade',
      );
    if (student === absent) return grade({ late_policy_status: 'missing' });
    if (student === ill) return grade({ excuse: true }, 'You were ill that week. Ask the archive for another visit if you like.');
    await handIn(all, id, student, content.reflectionOf(turn));
    const seconds = late.get(student);
    // Every demo submission is made today, whatever its due date.
    return grade({
      posted_grade: String(pointsOf(turn, 20, 10)),
      late_policy_status: seconds ? 'late' : 'none',
      ...(seconds && { seconds_late_override: seconds }),
    });
  });
}

/** The essay with its rubric: everyone has handed in, and all but the last four are assessed. @returns what reviewers need */
async function assess(all: Gradebook) {
  const { teacher, at, students } = all;
  const { criteria, title } = content.demoRubric;
  const id = await assign(all, { ...content.essay, points: 50, peer_reviews: true });
  const { rubric, rubric_association } = must(
    await teacher.post(
      `${at}/rubrics`,
      {
        rubric: { title, criteria },
        rubric_association: { association_id: id, association_type: 'Assignment', use_for_grading: true, purpose: 'grading' },
      },
      { json: true },
    ),
    title,
  );
  const rated = (turn: number) =>
    rubric.data.map((criterion: { id: string; points: number }, place: number) => ({
      id: criterion.id,
      points: Math.round(pointsOf(turn, 30 + place, criterion.points)),
    }));
  await each(students, async (student, turn) => {
    await handIn(all, id, student, content.essayOf(turn));
    const rows: readonly { id: string; points: number }[] = rated(turn);
    const total = rows.reduce((sum, { points }) => sum + points, 0);
    const isAssessed = turn < students.length - 4;
    must(
      await teacher.put(`${at}/assignments/${id}/submissions/${student.id}`, {
        submission: { late_policy_status: 'none' },
        ...(isAssessed && {
          rubric_assessment: Object.fromEntries(
            rows.map(({ id, points }, place) => [id, { points, ...(turn === 0 && { comments: content.criterionRemarks[place] ?? '' }) }]),
          ),
          ...(turn % 3 === 0 && { comment: { text_comment: remarkOn(total / 50, turn) } }),
        }),
      }),
      'an assessment',
    );
  });
  return { id, association_id: rubric_association.id as number, rated };
}

/** Two reviews: of the demo student's essay, which is done, and one that is theirs to do. */
async function review(all: Gradebook, { id, association_id, rated }: Awaited<ReturnType<typeof assess>>): Promise<void> {
  const { as, teacher, at, people } = all;
  const ask = async (author: Person, reviewer: Person) => {
    const submission = must(await teacher.get(`${at}/assignments/${id}/submissions/${author.id}`), 'a submission');
    must(await teacher.post(`${at}/assignments/${id}/submissions/${submission.id}/peer_reviews`, { user_id: reviewer.id }), 'a review');
  };
  await ask(people.student, people.student2);
  await ask(people.others[4] as Person, people.student);
  const rows: readonly { id: string; points: number }[] = rated(5);
  must(
    await as(people.student2).post(`${at}/rubric_associations/${association_id}/rubric_assessments`, {
      rubric_assessment: {
        user_id: people.student.id,
        assessment_type: 'peer_review',
        ...Object.fromEntries(
          rows.map((row, place) => [`criterion_${row.id}`, { points: row.points, comments: content.peerRemarks[place] ?? '' }]),
        ),
      },
    }),
    'a peer’s assessment',
  );
}

/** A paper that two members of staff grade: six have handed in early, two have both grades, and none is chosen. */
async function moderate(all: Gradebook): Promise<void> {
  const { as, at, people } = all;
  const id = await assign(all, {
    ...content.moderated,
    moderated_grading: true,
    grader_count: 2,
    final_grader_id: people.teacher.id,
  });
  const early = people.others.slice(0, 6);
  await each(early, (student, turn) => handIn(all, id, student, content.essayOf(turn + 3)));
  const opinions = [
    [people.ta, 34, 'Strong on the sources, and a little long.'],
    [people.colleague, 29, 'The reader waits too long for the argument.'],
  ] as const;
  for (const [grader, points, text_comment] of opinions)
    await each(early.slice(0, 2), async (student, turn) =>
      must(
        await as(grader).put(`${at}/assignments/${id}/submissions/${student.id}`, {
          submission: { posted_grade: String(points + turn), provisional: true },
          comment: { text_comment },
        }),
        'a provisional grade',
      ),
    );
}

async function addColumn({ teacher, at, students }: Gradebook): Promise<void> {
  const column = must(await teacher.post(`${at}/custom_gradebook_columns`, { column: { title: 'Study group' } }), 'a column');
  const { studyGroups } = content;
  const column_data = students.map(({ id }, turn) => ({
    column_id: column.id,
    user_id: id,
    content: studyGroups[turn % studyGroups.length],
  }));
  must(await teacher.put(`${at}/custom_gradebook_column_data`, { column_data }, { json: true }), 'the data of the column');
}
