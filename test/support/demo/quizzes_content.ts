// The quizzes, outcomes and the poll of the demo's chemistry course, as data.

/** The course that has the quizzes. */
export const quizzedCourse = 'CHE 210';

type Question = Readonly<Record<string, unknown>>;

const choices = (right: string, ...wrong: readonly string[]) => [
  { answer_text: right, answer_weight: 100 },
  ...wrong.map((answer_text) => ({ answer_text, answer_weight: 0 })),
];

/** One of every type. */
export const practice: { readonly quiz: Question; readonly questions: readonly Question[] } = {
  quiz: {
    title: 'Practice: bonds and mechanisms',
    description: '<p>Try it as often as you like. Answers are shown after each attempt.</p>',
    quiz_type: 'practice_quiz',
    allowed_attempts: -1,
    shuffle_answers: true,
  },
  questions: [
    { question_type: 'text_only_question', question_name: 'Read first', question_text: '<p>A periodic table helps with the numbers.</p>' },
    {
      question_type: 'multiple_choice_question',
      question_name: 'Hybridisation',
      question_text: '<p>How is the carbon of methane hybridised?</p>',
      points_possible: 1,
      answers: choices('sp3', 'sp2', 'sp'),
      correct_comments: 'Four equal bonds.',
    },
    {
      question_type: 'true_false_question',
      question_name: 'Inversion',
      question_text: '<p>An SN2 reaction inverts the configuration.</p>',
      points_possible: 1,
      answers: choices('True', 'False'),
    },
    {
      question_type: 'missing_word_question',
      question_name: 'Nucleophiles',
      question_text: '<p>A nucleophile gives</p>',
      text_after_answers: 'to the electrophile.',
      points_possible: 1,
      answers: choices('an electron pair', 'a proton', 'one electron'),
    },
    {
      question_type: 'multiple_answers_question',
      question_name: 'Aromatic',
      question_text: '<p>Which are aromatic?</p>',
      points_possible: 2,
      answers: [
        { answer_text: 'Benzene', answer_weight: 100 },
        { answer_text: 'Pyridine', answer_weight: 100 },
        { answer_text: 'Cyclohexane', answer_weight: 0 },
      ],
    },
    {
      question_type: 'short_answer_question',
      question_name: 'Simplest alkene',
      question_text: '<p>What is the simplest alkene called?</p>',
      points_possible: 1,
      answers: [{ answer_text: 'ethene' }, { answer_text: 'ethylene' }],
    },
    {
      question_type: 'fill_in_multiple_blanks_question',
      question_name: 'Markovnikov',
      question_text: '<p>Hydrogen goes to the carbon with [more] hydrogens, the halogen to the one with [fewer].</p>',
      points_possible: 2,
      answers: [
        { answer_text: 'more', blank_id: 'more' },
        { answer_text: 'fewer', blank_id: 'fewer' },
      ],
    },
    {
      question_type: 'multiple_dropdowns_question',
      question_name: 'Rates',
      question_text: '<p>SN1 is of [order] order.</p>',
      points_possible: 1,
      answers: choices('first', 'second').map((one) => ({ ...one, blank_id: 'order' })),
    },
    {
      question_type: 'matching_question',
      question_name: 'Functional groups',
      question_text: '<p>Match each suffix with its class.</p>',
      points_possible: 3,
      answers: [
        { answer_match_left: '-ol', answer_match_right: 'alcohol' },
        { answer_match_left: '-al', answer_match_right: 'aldehyde' },
        { answer_match_left: '-one', answer_match_right: 'ketone' },
      ],
      matching_answer_incorrect_matches: 'ester',
    },
    {
      question_type: 'numerical_question',
      question_name: 'Molar mass',
      question_text: '<p>The molar mass of ethanol in g/mol, to one decimal?</p>',
      points_possible: 1,
      answers: [{ numerical_answer_type: 'exact_answer', answer_exact: 46.1, answer_error_margin: 0.1 }],
    },
    {
      question_type: 'calculated_question',
      question_name: 'Yield',
      question_text: '<p>You expected 50 g and isolated [x] g. What is the yield in percent?</p>',
      points_possible: 2,
      formulas: ['x*2'],
      variables: [{ name: 'x', min: 10, max: 49, scale: 0 }],
      answer_tolerance: '0',
      answers: [12, 23, 34, 45].map((x) => ({ answer_text: String(x * 2), variables: [{ name: 'x', value: String(x) }] })),
    },
    {
      question_type: 'essay_question',
      question_name: 'A curved arrow',
      question_text: '<p>Explain to a friend what a curved arrow means.</p>',
      points_possible: 4,
    },
    {
      question_type: 'file_upload_question',
      question_name: 'Mechanism',
      question_text: '<p>Draw the mechanism of one SN1 reaction, and upload a picture of it.</p>',
      points_possible: 4,
    },
  ],
};

/** A quiz that some are taking now, with a time limit. */
export const runningQuiz = {
  quiz: { title: 'Quiz 4: Addition', quiz_type: 'assignment', time_limit: 45, one_question_at_a_time: true },
  due: 2,
  questions: [
    {
      question_type: 'multiple_choice_question',
      question_name: 'Hydration',
      question_text: '<p>Acid and water add to propene. What is the main product?</p>',
      points_possible: 5,
      answers: choices('2-Propanol', '1-Propanol', 'Propane'),
    },
    {
      question_type: 'true_false_question',
      question_name: 'Anti addition',
      question_text: '<p>Bromine adds to alkenes from opposite sides.</p>',
      points_possible: 5,
      answers: choices('True', 'False'),
    },
  ],
};

/** A quiz that everyone has taken, with some essays left to grade. */
export const takenQuiz = {
  quiz: { title: 'Quiz 3: Substitution', quiz_type: 'assignment', allowed_attempts: 2, scoring_policy: 'keep_highest' },
  due: -6,
  questions: [
    {
      question_type: 'multiple_choice_question',
      question_name: 'Best nucleophile',
      question_text: '<p>Which is the best nucleophile in water?</p>',
      points_possible: 4,
      answers: choices('Iodide', 'Fluoride', 'Water'),
    },
    {
      question_type: 'short_answer_question',
      question_name: 'Leaving group',
      question_text: '<p>The part that departs with the electron pair is the … group.</p>',
      points_possible: 2,
      answers: [{ answer_text: 'leaving' }],
    },
    {
      question_type: 'essay_question',
      question_name: 'SN1 or SN2?',
      question_text: '<p>How do you tell from the rate which one it was?</p>',
      points_possible: 4,
    },
  ],
  essays: [
    'The rate of SN2 changes with both concentrations, that of SN1 only with the substrate.',
    'If more nucleophile makes it faster, it is SN2.',
    'I would look at the stereochemistry first, and then at the rate.',
  ],
};

export const outcomeTree = [
  {
    title: 'Reasoning',
    outcomes: [
      {
        title: 'Argues from evidence',
        description: '<p>Supports each claim with data, and says how certain they are.</p>',
        ratings: [
          { description: 'Exceeds', points: 4 },
          { description: 'Mastery', points: 3 },
          { description: 'Near mastery', points: 2 },
          { description: 'Below', points: 0 },
        ],
        mastery_points: 3,
        calculation_method: 'decaying_average',
        calculation_int: 65,
      },
      {
        title: 'Predicts a mechanism',
        ratings: [
          { description: 'Complete', points: 5 },
          { description: 'Partly', points: 3 },
          { description: 'Not yet', points: 0 },
        ],
        mastery_points: 3,
        calculation_method: 'highest',
      },
    ],
  },
  {
    title: 'In the laboratory',
    outcomes: [
      {
        title: 'Works safely',
        ratings: [
          { description: 'Always', points: 2 },
          { description: 'With reminders', points: 1 },
          { description: 'No', points: 0 },
        ],
        mastery_points: 2,
        calculation_method: 'latest',
      },
    ],
  },
] as const;

export const demoPoll = {
  question: 'Which reaction shall we repeat on Thursday?',
  description: 'One vote each.',
  choices: ['SN1', 'SN2', 'E2'],
};
