// The words of what a course teaches and says: pages, assignments, discussions and announcements, for the search in a course. The index alone is
// kept, not the texts again; whose text it is stands in its number, and where it lies among its words.

interface Kind {
  readonly table: string;
  readonly title: string;
  readonly body: string;
  /** Columns that decide where it lies. */
  readonly place: readonly string[];
  /** Of the row `$`: the column that names its course, and whether it is a course's at all. */
  readonly course: string;
  readonly isOfCourse: string;
  /** Whether people beside staff may ever find it as it stands: what else shuts it for them is looked at when it is found. */
  readonly isOpen: string;
}

/** The letter is the kind's word in the index, its place in the list its last two bits. */
const kinds: Readonly<Record<'p' | 'a' | 't', Kind>> = {
  p: {
    table: 'pages',
    title: 'title',
    body: 'body',
    place: ['context_type', 'context_id', 'workflow_state', 'publish_at'],
    course: '$.context_id',
    isOfCourse: "$.context_type = 'Course'",
    isOpen: "$.workflow_state = 'active' or $.publish_at is not null",
  },
  a: {
    table: 'assignments',
    title: 'name',
    body: 'description',
    place: ['course_id', 'workflow_state'],
    course: '$.course_id',
    isOfCourse: '1',
    isOpen: "$.workflow_state = 'published'",
  },
  t: {
    table: 'discussion_topics',
    title: 'title',
    body: 'message',
    place: ['context_type', 'context_id', 'workflow_state'],
    course: '$.context_id',
    isOfCourse: "$.context_type = 'Course'",
    isOpen: "$.workflow_state <> 'unpublished'",
  },
};

export type CourseText = keyof typeof kinds;
const order = Object.keys(kinds) as CourseText[];

/** The number of a row of the kind in the index. */
const numberOf = (kind: CourseText, id: string) => `(${id} * 4 + ${order.indexOf(kind)})`;

/** HTML without its tags: cut at every `<`, and of each piece what stands behind the `>`. */
const plain = (html: string) =>
  `(select group_concat(iif(j.key = 0, j.value, substr(j.value, instr(j.value, '>') + 1)), ' ') from json_each('[' || replace(json_quote(coalesce(${html}, '')), '<', '","') || ']') j)`;

/**
 * Letters of scripts that are written without blanks between words (Thai and Lao, Burmese, Khmer, Chinese and Japanese), as a range of letters says them.
 * No more than six pieces: D1 takes patterns of fifty bytes.
 */
const unspacedLetters = '\u{0E00}-\u{0EFF}\u{1000}-\u{109F}\u{1780}-\u{17FF}\u{3040}-\u{9FFF}\u{F900}-\u{FAFF}\u{20000}-\u{3FFFF}';

/**
 * A text with, after it, every two letters that stand side by side where no blank says what a word is: such words are found by their pairs.
 * It is cut into pieces first, since each step copies what is left of its piece.
 */
const withPairs = (text: string) =>
  `(with recursive whole(said) as materialized (select ${text}),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[${unspacedLetters}]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[${unspacedLetters}]*'), said) from whole)`;

const add = (kind: CourseText, row: string, from = '') => {
  const of = (expression: string) => expression.replaceAll('$', row);
  const { title, body, course, isOfCourse, isOpen } = kinds[kind];
  const id = `cast(${of(course)} as int)`;
  return `insert into course_words (rowid, place, title, body) select ${numberOf(kind, `${row}.id`)}, '${kind}' || ${id} || iif(${of(isOpen)}, ' ${kind}o' || ${id}, ''), ${withPairs(`${row}.${title}`)}, ${withPairs(plain(`${row}.${body}`))}${from}
    where ${of(isOfCourse)} and ${row}.workflow_state <> 'deleted';`;
};

const kept = (kind: CourseText): readonly string[] => {
  const { table, title, body, place } = kinds[kind];
  const columns = [title, body, ...place];
  const differs = columns.map((column) => `new.${column} is not old.${column}`).join(' or ');
  const drop = `delete from course_words where rowid = ${numberOf(kind, 'old.id')};`;
  return [
    `create trigger search_${table}_insert after insert on ${table} begin\n  ${add(kind, 'new')}\nend;`,
    `create trigger search_${table}_update after update of ${columns.join(', ')} on ${table} when ${differs} begin\n  ${drop}\n  ${add(kind, 'new')}\nend;`,
    `create trigger search_${table}_delete after delete on ${table} begin\n  ${drop}\nend;`,
  ];
};

export const courseWordTriggers: readonly string[] = [
  `create virtual table course_words using fts5(place, title, body, content = '', contentless_delete = 1, detail = column, tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'");`,
  ...order.flatMap(kept),
];

const unspaced = new RegExp(`[${unspacedLetters}]+`, 'gu');
export const isUnspaced = (word: string): boolean => word.search(unspaced) >= 0;

/** What stands in the index of a word: its pairs of letters where no blanks are written; else, or of a single letter, what begins so. */
const soughtOf = (word: string): string[] => {
  const runs = (word.match(unspaced) ?? []).map((run) => [...run]);
  if (runs.length === 0) return [`"${word}"*`];
  return runs.flatMap((run) => (run.length === 1 ? [`"${run[0]}"*`] : run.slice(1).map((letter, at) => `"${run[at]}${letter}"`)));
};

/**
 * What the index is asked for: texts of one kind in a course that have words beginning so, each in the title or in the body. What has the pairs
 * of an unspaced word may have them apart: whoever asks looks at the text, too.
 * @param words letters, marks and digits alone
 */
export function wordsMatch(kind: CourseText, course_id: number, words: readonly string[], openOnly: boolean): string {
  const place = `{place} : ${kind}${openOnly ? 'o' : ''}${course_id}`;
  const sought = [...new Set(words.flatMap(soughtOf))].slice(0, 40);
  return sought.length === 0 ? place : `${place} AND {title body} : (${sought.join(' AND ')})`;
}

/** Statements that write the words anew, where rows have come without their triggers. */
export const courseWordsAgain: readonly string[] = [
  'delete from course_words;',
  ...order.map((kind) => add(kind, kinds[kind].table, ` from ${kinds[kind].table}`)),
];
