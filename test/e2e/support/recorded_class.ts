// A class for the recorded gradebook: its assignments, its students, and their results in every state. Always the same.

import type { GradebookCell, GradebookColumn, GradebookRow, GradingView } from '@carrel/desktop/contract/gradebook';

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
export const recordedLetters = ['A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'D', 'F'];
const hours = 3_600_000;

export const recordedCriteria: NonNullable<GradingView['rubric']>['criteria'] = [
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

export function recordedColumn(at: number, now: Date): GradebookColumn {
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
    letters: grading_type === 'letter_grade' ? recordedLetters : [],
    is_published: at !== 8,
    posts_manually: at === 3,
    is_anonymous: at === 7,
    may_grade: true,
    in_total: true,
    unassigned: [],
  };
}

export function recordedStudent(at: number): GradebookRow {
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
  if (grading_type === 'letter_grade') return { grade: recordedLetters[Math.floor((1 - chance) * 8)] ?? 'F', score };
  return { grade: String(score), score };
}

export function recordedCell(
  row: GradebookRow,
  column: GradebookColumn,
  at: readonly [number, number],
  now: Date,
): GradebookCell | undefined {
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

const essay = (name: string) => `<h2>What lives between the tides</h2>
<p>On Monday we walked the lower shore at half past six. The first transect started at the harbour wall and ended where the kelp begins; ${name} kept the notes.</p>
<p>Barnacles cover <strong>two thirds</strong> of the rock above the middle line. Below it, mussels take over, and with them come the dog whelks that eat them.</p>
<blockquote><p>The line between the two is sharp enough to draw with a ruler.</p></blockquote>
<ul><li>Splash zone: lichens, periwinkles</li><li>High shore: barnacles</li><li>Middle shore: mussels, limpets</li><li>Low shore: kelp, urchins</li></ul>
<p>What sets the upper limit of a species is how long it survives in the air; what sets the lower limit is who eats it.</p>`;

export function recordedAttempts(row: GradebookRow, cell: GradebookCell, now: Date): GradingView['attempts'] {
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
