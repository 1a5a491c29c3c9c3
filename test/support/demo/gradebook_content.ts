// The gradebook of the demo's seminar on libraries, as data: what is graded, by what, and what its people write.

/** The course that has the gradebook. */
export const gradedCourse = 'HIS 240';

/** Weights in percent; the others of the course have none. */
export const weights: Readonly<Record<string, { readonly group_weight: number; readonly drop_lowest?: number }>> = {
  'Weekly responses': { group_weight: 20, drop_lowest: 1 },
  Papers: { group_weight: 50 },
  Seminar: { group_weight: 10 },
  Examination: { group_weight: 20 },
};

export const scale = {
  title: 'Whitmore letters',
  grading_scheme_entry: [
    ['A', 93],
    ['A−', 90],
    ['B+', 87],
    ['B', 83],
    ['B−', 80],
    ['C+', 77],
    ['C', 73],
    ['C−', 70],
    ['D', 60],
    ['F', 0],
  ].map(([name, value]) => ({ name, value })),
};

export const demoLatePolicy = {
  late_submission_deduction_enabled: true,
  late_submission_deduction: 10,
  late_submission_interval: 'day',
  late_submission_minimum_percent_enabled: true,
  late_submission_minimum_percent: 50,
  missing_submission_deduction_enabled: true,
  missing_submission_deduction: 100,
};

/** Work on paper, graded for the whole course at once. */
export const onPaper: readonly {
  readonly name: string;
  readonly group: string;
  readonly points: number;
  readonly due: number;
  readonly grading_type?: 'letter_grade';
  readonly isHidden?: true;
  /** The share of students who have a grade by now. */
  readonly graded: number;
  readonly description: string;
}[] = [
  ...['Clay and papyrus', 'Alexandria', 'The scriptorium', 'The House of Wisdom', 'Print', 'The public library'].map((theme, week) => ({
    name: `Response ${week + 1}: ${theme}`,
    group: 'Weekly responses',
    points: 10,
    due: 7 * week - 44,
    graded: 1,
    description: '<p>One page, by hand: one thing in the reading that you doubt, and why.</p>',
  })),
  {
    name: 'Seminar presentation',
    group: 'Seminar',
    points: 20,
    due: -4,
    grading_type: 'letter_grade',
    graded: 0.6,
    description: '<p>Ten minutes on one object, ten minutes of questions.</p>',
  },
  {
    name: 'Midterm examination',
    group: 'Examination',
    points: 60,
    due: -1,
    isHidden: true,
    graded: 1,
    description: '<p>Two hours, two essays out of five questions. Grades are shown once all papers are marked.</p>',
  },
];

export const essay = {
  name: 'Essay: a library that was lost',
  group: 'Papers',
  due: -6,
  description:
    '<p>Fifteen hundred words on one library that no longer exists. How do we know of it, and from whom?</p><p>Every essay is read by another student before the seminar.</p>',
};

export const demoRubric = {
  title: 'Historical essay',
  criteria: [
    [
      'Argument',
      'One question, and an answer that the reader can test.',
      ['Convincing', 15],
      ['Clear', 12],
      ['Partly clear', 8],
      ['None', 0],
    ],
    [
      'Sources',
      'At least three, of which one is from the time.',
      ['Weighed against each other', 15],
      ['Used', 11],
      ['Named', 6],
      ['None', 0],
    ],
    ['Structure', 'Each paragraph does one thing.', ['Leads the reader', 10], ['Orderly', 8], ['Loose', 5], ['None', 0]],
    ['Language', 'Plain words, correct references.', ['Clear', 10], ['Correct', 8], ['Careless', 5], ['Hard to read', 0]],
  ].map(([description, long_description, ...ratings]) => ({
    description,
    long_description,
    criterion_use_range: true,
    ratings: (ratings as [string, number][]).map(([name, points]) => ({ description: name, points })),
  })),
};

export const visit = { due: -20, late: [93_600, 7_200, 180_000] };

export const moderated = {
  name: 'Term paper: who may read?',
  group: 'Papers',
  points: 40,
  due: 3,
  description:
    '<p>Three thousand words on who was kept out of one library, and how. Two members of staff grade each paper; Helen Vasquez decides.</p>',
};

const lost = [
  ['Alexandria', 'Callimachus', 'no shelf of it was ever found'],
  ['Nineveh', 'the tablets themselves', 'fire baked the clay that it was meant to destroy'],
  ['Nalanda', 'Xuanzang', 'those who describe its end were not there'],
  ['the House of Wisdom', 'Ibn al-Nadim', 'we know its catalogue better than its rooms'],
  ['Louvain', 'the photographs of 1914', 'it was lost twice within one lifetime'],
  ['Sarajevo', 'the firefighters of 1992', 'its catalogue cards burnt with the books'],
  ['Herculaneum', 'the scrolls that cannot be opened', 'it is being read again, letter by letter'],
  ['Timbuktu', 'the families who kept the chests', 'what was called lost had only been hidden'],
] as const;

export const essayOf = (turn: number): string => {
  const [place, witness, turning] = lost[turn % lost.length] as (typeof lost)[number];
  return `<p>What do we know of the library of ${place}, and from whom? Our main witness is ${witness}, and the witness had reasons of their own.</p><p>I argue that the loss is part of the record: ${turning}. The person who writes the story decides what counted as a book.</p>`;
};

export const reflectionOf = (turn: number): string => {
  const seen = [
    'a chained psalter',
    'a card catalogue with three hands in it',
    'a borrower’s register of 1871',
    'a box that no one had opened since 1950',
  ];
  return `<p>I did not expect ${seen[turn % seen.length]}. It showed me that an archive is also a list of decisions: what was kept, and by whom.</p>`;
};

/** Comments of the teacher, by how good the work is. */
export const remarks = {
  good: ['A pleasure to read. Your second source deserves a paper of its own.', 'You let the sources disagree, which is exactly right.'],
  fair: ['The question is good. Give your answer earlier.', 'Solid work. One more source from the time would carry the last page.'],
  weak: ['You describe more than you argue. Come and see me on Tuesday.', 'There is a good idea on page two. Build the essay around it.'],
} as const;

export const criterionRemarks = ['The question arrives on page one, as it should.', 'Who says so, and when did they write?'] as const;

export const peerRemarks = [
  'I believed you until the third page. Who else saw it burn?',
  'Clear and short. I would start with the photographs.',
] as const;

export const studyGroups = ['Scriptorium', 'Stacks', 'Marginalia', 'Index'] as const;
