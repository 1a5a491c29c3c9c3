// More of the recorded library: a gradebook with every state, and the grading view of its assignments.

import type { Channel, ChannelParams, ChannelResult } from '@carrel/desktop/contract/channels';
import type {
  GradebookCell,
  GradebookColumn,
  GradebookRow,
  GradebookView,
  GradeEntry,
  GradingComment,
  GradingConflict,
  GradingView,
  RubricMark,
} from '@carrel/desktop/contract/gradebook';
import type { WritingPlace } from '@carrel/desktop/contract/writing';

type GradingChannel = Extract<Channel, `gradebook.${string}` | `grading.${string}`>;
type Channels = { readonly [C in GradingChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

export interface Teaching {
  readonly course_id: number;
  readonly students: number;
  readonly assignments: number;
  readonly choice?: GradebookView['choice'];
  readonly isLoading?: boolean;
}

const firstNames = [
  'Amara',
  'Benedikt',
  'Chiara',
  'Dawit',
  'Élodie',
  'Farid',
  'Greta',
  'Hiroshi',
  'Ingrid',
  'Jonas',
  'Khadija',
  'Lars',
  'Mei',
];
const lastNames = [
  'Abernathy',
  'Brandt',
  'Castellanos',
  'Dlamini',
  'Eriksen',
  'Ferreira',
  'Goldberg',
  'Haddad',
  'Ivanova',
  'Jónsdóttir',
  'Kowalczyk',
];
const longName = 'Maximiliana Theodora Wilhelmine von Hohenstein-Schwarzenberg-Rosenfeld';
const titles = [
  'Lab report: tidal zones',
  'Plankton field notes',
  'Reading response',
  'Quiz on currents',
  'Poster',
  'Essay',
  'Problem set',
  'Fieldwork diary',
];
const longTitle = 'Comparative essay on the colonisation of intertidal boulder fields by sessile invertebrates since 1970';
const letters = ['A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'D', 'F'];
const hours = 3_600_000;

const rubricCriteria: NonNullable<GradingView['rubric']>['criteria'] = [
  ['question', 'Question and hypothesis', 'Is the question clear, and can it be answered with the data?'],
  ['method', 'Method', null],
  ['writing', 'Writing', 'Structure, language and sources.'],
].map(([id, title, details]) => ({
  id: id as string,
  title: title as string,
  details: details as string | null,
  points: 4,
  ratings: [
    { id: `${id}-4`, title: 'Convincing', details: null, points: 4 },
    { id: `${id}-2`, title: 'Mostly', details: 'With gaps that a reader notices.', points: 2 },
    { id: `${id}-0`, title: 'Not yet', details: null, points: 0 },
  ],
}));

/** Deterministic, so that pictures and tests see the same class. */
const dice = (seed: number) => {
  const value = Math.sin(seed * 12.9898) * 43_758.5453;
  return value - Math.floor(value);
};

function columnOf(at: number, now: Date): GradebookColumn {
  const types = ['points', 'points', 'percent', 'points', 'pass_fail', 'letter_grade', 'points'] as const;
  const grading_type = types[at % types.length] ?? 'points';
  return {
    assignment_id: 301 + at,
    title:
      at === 6
        ? longTitle
        : at < titles.length
          ? (titles[at] as string)
          : `${titles[at % titles.length]} ${Math.floor(at / titles.length) + 1}`,
    group_id: 1 + (at % 3),
    due_at: at % 11 === 10 ? null : new Date(now.getTime() + (at - 4) * 72 * hours).toISOString(),
    points_possible: grading_type === 'pass_fail' ? 5 : grading_type === 'percent' || grading_type === 'letter_grade' ? 100 : 20,
    grading_type,
    letters: grading_type === 'letter_grade' ? letters : [],
    is_published: at !== 8,
    posts_manually: at === 3,
    is_anonymous: at === 7,
    may_grade: true,
    in_total: true,
  };
}

function rowOf(at: number): GradebookRow {
  const first = firstNames[at % firstNames.length];
  const last = lastNames[Math.floor(at / firstNames.length + at) % lastNames.length];
  const name = at === 4 ? longName : `${first} ${last}`;
  return {
    user_id: 1001 + at,
    name,
    sortable_name: at === 4 ? `von Hohenstein-Schwarzenberg-Rosenfeld, ${longName}` : `${last}, ${first}`,
    avatar_url: null,
    section_ids: [51 + (at % 2)],
    state: at % 37 === 36 ? 'inactive' : at % 29 === 28 ? 'invited' : 'active',
    last_activity_at: '2026-11-19T16:20:00Z',
    current_score: null,
    current_grade: null,
    final_score: null,
  };
}

function gradeOf({ grading_type, points_possible }: GradebookColumn, chance: number) {
  const share = 0.4 + chance * 0.6;
  if (grading_type === 'pass_fail') return share > 0.5 ? { grade: 'complete', score: points_possible } : { grade: 'incomplete', score: 0 };
  const score = Math.round(share * (points_possible ?? 0) * 2) / 2;
  if (grading_type === 'percent') return { grade: `${score}%`, score };
  if (grading_type === 'letter_grade') return { grade: letters[Math.floor((1 - chance) * 8)] ?? 'F', score };
  return { grade: String(score), score };
}

function cellOf(row: GradebookRow, column: GradebookColumn, at: readonly [number, number], now: Date): GradebookCell | undefined {
  const chance = dice(at[0] * 211 + at[1] * 17 + 3);
  if (chance > 0.985) return undefined;
  const cell: GradebookCell = {
    user_id: row.user_id,
    assignment_id: column.assignment_id,
    score: null,
    grade: null,
    excused: false,
    late: false,
    missing: false,
    seconds_late: null,
    attempt: 1,
    submitted_at: new Date(now.getTime() - chance * 200 * hours).toISOString(),
    needs_grading: false,
    posted: true,
    comments: chance > 0.3 && chance < 0.36 ? 2 : 0,
    points_deducted: null,
    unsent: null,
  };
  const isFuture = column.due_at !== null && column.due_at > now.toISOString();
  if (isFuture && chance > 0.1) return { ...cell, attempt: 0, submitted_at: null };
  const late = chance > 0.55 && chance < 0.6;
  if (chance < 0.06) return { ...cell, missing: true, attempt: 0, submitted_at: null };
  if (chance < 0.08) return { ...cell, excused: true, attempt: 0, submitted_at: null };
  if (chance > 0.6 && chance < 0.76) return { ...cell, needs_grading: true, late: chance > 0.73 };
  const grade = gradeOf(column, dice(at[0] * 7 + at[1] * 131));
  return { ...cell, ...grade, late, seconds_late: late ? 7200 : null, points_deducted: late ? 1 : null, posted: !column.posts_manually };
}

function scoreOf({ grading_type, points_possible }: GradebookColumn, grade: string): number | null {
  if (grading_type === 'pass_fail') return grade === 'complete' ? points_possible : 0;
  if (letters.includes(grade)) return 98 - letters.indexOf(grade) * 6;
  return grade.endsWith('%') ? (Number.parseFloat(grade) * (points_possible ?? 0)) / 100 : Number(grade);
}

function entered(column: GradebookColumn, cell: GradebookCell, { grade, excused, status }: GradeEntry): GradebookCell {
  if (excused) return { ...cell, excused, score: null, grade: null, missing: false, needs_grading: false };
  const open = { ...cell, excused: excused ?? cell.excused, ...(status && { late: status === 'late', missing: status === 'missing' }) };
  if (grade === undefined) return open;
  if (grade === null) return { ...open, grade: null, score: null, needs_grading: open.attempt > 0 };
  if (grade.startsWith('-')) throw new Error('A grade must not be negative.');
  return { ...open, grade, score: scoreOf(column, grade), missing: false, needs_grading: false };
}

export function recordedGrading(
  now: Date,
  teaching: Teaching | null,
  changed: () => void,
  finish: (place: WritingPlace | undefined) => void,
) {
  let choice = teaching?.choice ?? 'chosen';
  const columns = Array.from({ length: teaching?.assignments ?? 0 }, (_, at) => columnOf(at, now));
  const rows = Array.from({ length: teaching?.students ?? 0 }, (_, at) => rowOf(at));
  const cells = new Map<string, GradebookCell>();
  const key = (user_id: number, assignment_id: number) => `${user_id} ${assignment_id}`;
  rows.forEach((row, r) => {
    columns.forEach((column, c) => {
      const cell = cellOf(row, column, [r, c], now);
      if (cell) cells.set(key(row.user_id, column.assignment_id), cell);
    });
  });
  const comments = new Map<string, GradingComment[]>();
  const marks = new Map<string, Record<string, RubricMark>>();
  const conflicts = new Map<string, GradingConflict>();
  /** As they were before each entry that is not sent. */
  const undo = new Map<string, { readonly cell: GradebookCell; readonly comments: GradingComment[] }>();
  let entries = 0;
  const set = (cell: GradebookCell) => cells.set(key(cell.user_id, cell.assignment_id), cell);
  // Two students whose grades need a decision: someone else graded, and a new attempt came in.
  for (const [at, why] of [
    [2, 'graded meanwhile'],
    [3, 'newer attempt'],
  ] as const) {
    const [row, column] = [rows[at], columns[0]];
    if (!row || !column) continue;
    const id = `conflict-${at}`;
    const cell = cells.get(key(row.user_id, column.assignment_id)) ?? cellOf(row, column, [1, 1], now);
    if (!cell) continue;
    set({
      ...cell,
      score: 17,
      grade: '17',
      excused: false,
      missing: false,
      needs_grading: false,
      unsent: { id, hold: 'newer attempt', refused: null },
    });
    conflicts.set(id, {
      id,
      why,
      mine: { grade: '17', comment: 'A careful report; the map is missing a scale.' },
      theirs: {
        grade: '14.5',
        score: 14.5,
        excused: false,
        attempt: 2,
        graded_at: new Date(now.getTime() - 2 * hours).toISOString(),
        grader: 'Ingrid Holm',
      },
    });
  }

  const totalOf = (row: GradebookRow): GradebookRow => {
    let [points, possible, all] = [0, 0, 0];
    for (const column of columns) {
      const cell = cells.get(key(row.user_id, column.assignment_id));
      if (!cell || cell.excused) continue;
      all += column.points_possible ?? 0;
      if (cell.score === null) continue;
      points += cell.score;
      possible += column.points_possible ?? 0;
    }
    if (possible === 0) return row;
    const current_score = Math.round((points / possible) * 10_000) / 100;
    return {
      ...row,
      current_score,
      current_grade: letters[Math.min(8, Math.floor((100 - current_score) / 6))] ?? null,
      final_score: Math.round((points / all) * 10_000) / 100,
    };
  };

  const viewOf = (course_id: number): GradebookView => {
    const isChosen = choice === 'chosen';
    return {
      course_id,
      choice,
      is_loading: teaching?.isLoading ?? false,
      may_grade: true,
      is_weighted: false,
      groups: [
        { id: 1, name: 'Reports', weight: null },
        { id: 2, name: 'Fieldwork', weight: null },
        { id: 3, name: 'Quizzes and reading', weight: null },
      ],
      sections: [
        { id: 51, name: 'Monday group' },
        { id: 52, name: 'Thursday group' },
      ],
      columns: isChosen ? columns : [],
      rows: isChosen ? rows.map(totalOf) : [],
      cells: isChosen ? [...cells.values()] : [],
    };
  };

  const channels: Channels = {
    'gradebook.open': async ({ course_id }) => (teaching?.course_id === course_id ? viewOf(course_id) : null),
    'gradebook.choose': async ({ chosen }) => {
      choice = chosen ? 'chosen' : 'not chosen';
      changed();
      return null;
    },
    'gradebook.enter': async ({ assignment_id, entries: given, finished }) => {
      const column = columns.find((one) => one.assignment_id === assignment_id);
      if (!column) throw new Error('There is no such assignment.');
      const ids = given.map(({ user_id, ...entry }) => {
        const at = key(user_id, assignment_id);
        const cell = cells.get(at);
        if (!cell) throw new Error('The student is not assigned.');
        const id = `grade-${++entries}`;
        const said = comments.get(at) ?? [];
        undo.set(id, { cell, comments: said });
        const unsent = { id, hold: null, refused: null };
        if (entry.comment)
          comments.set(at, [
            ...said,
            { id: null, author: null, is_mine: true, text: entry.comment, created_at: now.toISOString(), files: [], unsent },
          ]);
        if (entry.rubric) marks.set(at, { ...entry.rubric });
        const points = Object.values(entry.rubric ?? {}).reduce((sum, mark) => sum + (mark.points ?? 0), 0);
        set({
          ...entered(column, cell, entry.rubric ? { ...entry, grade: String(points) } : entry),
          comments: cell.comments + (entry.comment ? 1 : 0),
          unsent,
        });
        return id;
      });
      finish(finished);
      changed();
      return ids;
    },
    'grading.queue': async ({ course_id, assignment_id }) => {
      const column = columns.find((one) => one.assignment_id === assignment_id);
      if (!column || teaching?.course_id !== course_id || choice !== 'chosen' || column.is_anonymous) return null;
      return {
        assignment_id,
        title: column.title,
        students: rows.flatMap(({ user_id, name }) => {
          const cell = cells.get(key(user_id, assignment_id));
          if (!cell) return [];
          const state = cell.excused ? 'excused' : cell.needs_grading ? 'to grade' : cell.score !== null ? 'graded' : 'nothing';
          return [
            { user_id, name, state, is_unsent: cell.unsent !== null, has_conflict: cell.unsent !== null && conflicts.has(cell.unsent.id) },
          ] as const;
        }),
      };
    },
    'grading.open': async ({ course_id, assignment_id, user_id }) => {
      const [column, row] = [columns.find((one) => one.assignment_id === assignment_id), rows.find((one) => one.user_id === user_id)];
      const at = key(user_id, assignment_id);
      const cell = cells.get(at);
      if (!column || !row || !cell) return null;
      return {
        course_id,
        assignment: column,
        student: row,
        cell,
        attempts: attemptsOf(row, cell, now),
        comments: [
          ...(cell.comments > (comments.get(at)?.length ?? 0)
            ? [
                {
                  id: 1,
                  author: row.name,
                  is_mine: false,
                  text: 'I could not finish the last transect: the tide was in.',
                  created_at: cell.submitted_at,
                  files: ['transect.jpg'],
                  unsent: null,
                },
              ]
            : []),
          ...(comments.get(at) ?? []),
        ],
        rubric: column.assignment_id === 302 ? { criteria: rubricCriteria, marks: marks.get(at) ?? {}, gives_grade: true } : null,
        conflict: (cell.unsent && conflicts.get(cell.unsent.id)) ?? null,
      };
    },
    'grading.resolve': async ({ id, with: side }) => {
      const conflict = conflicts.get(id);
      const cell = [...cells.values()].find(({ unsent }) => unsent?.id === id);
      if (!conflict || !cell) return null;
      conflicts.delete(id);
      if (side === 'mine') set({ ...cell, unsent: { id, hold: null, refused: null } });
      else set({ ...cell, grade: conflict.theirs.grade, score: conflict.theirs.score, unsent: null });
      changed();
      return null;
    },
  };
  return {
    channels,
    takeBack(id: string): boolean {
      const before = undo.get(id);
      if (!before) return false;
      undo.delete(id);
      set(before.cell);
      comments.set(key(before.cell.user_id, before.cell.assignment_id), before.comments);
      changed();
      return true;
    },
    /** As after a sync: nothing is unsent, and nothing can be taken back. */
    send() {
      undo.clear();
      for (const cell of cells.values()) if (cell.unsent && !conflicts.has(cell.unsent.id)) set({ ...cell, unsent: null });
      changed();
    },
  };
}

const essay = (name: string) => `<h2>What lives between the tides</h2>
<p>On Monday we walked the lower shore at half past six. The first transect started at the harbour wall and ended where the kelp begins; ${name} kept the notes.</p>
<p>Barnacles cover <strong>two thirds</strong> of the rock above the middle line. Below it, mussels take over, and with them come the dog whelks that eat them.</p>
<blockquote><p>The line between the two is sharp enough to draw with a ruler.</p></blockquote>
<ul><li>Splash zone: lichens, periwinkles</li><li>High shore: barnacles</li><li>Middle shore: mussels, limpets</li><li>Low shore: kelp, urchins</li></ul>
<p>What sets the upper limit of a species is how long it survives in the air; what sets the lower limit is who eats it.</p>`;

function attemptsOf(row: GradebookRow, cell: GradebookCell, now: Date): GradingView['attempts'] {
  if (cell.attempt === 0) return [];
  const files =
    row.user_id % 3 === 0
      ? [
          { id: 701, name: 'Safety at sea.pdf', size: 184_000, content_type: 'application/pdf', is_here: true },
          { id: 702, name: 'tide-zones.svg', size: 2100, content_type: 'image/svg+xml', is_here: true },
          {
            id: 799,
            name: 'raw measurements of all four transects, second walk.csv',
            size: 48_000_000,
            content_type: 'text/csv',
            is_here: false,
          },
        ]
      : [];
  const one = (attempt: number, ago: number) => ({
    attempt,
    submitted_at: new Date(now.getTime() - ago * hours).toISOString(),
    late: attempt > 1 && cell.late,
    type: files.length > 0 ? 'online_upload' : 'online_text_entry',
    html: files.length > 0 ? null : essay(row.name),
    url: row.user_id % 7 === 0 ? 'https://tides.example.edu/kiel' : null,
    files,
  });
  return row.user_id % 2 === 0 ? [one(2, 20), one(1, 90)] : [one(1, 30)];
}
