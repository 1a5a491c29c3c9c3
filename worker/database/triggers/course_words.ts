// The search index of course content: pages, assignments, discussions and announcements. Only the index is stored, not the texts; the row number
// identifies the text, and indexed words its context.

import { columnsDiffer, trigger } from './trigger.ts';

interface Kind {
  readonly table: string;
  readonly title: string;
  readonly body: string;
  /** Columns that determine its context. */
  readonly place: readonly string[];
  /** For the row `$`: the column with its course, and whether it belongs to a course at all. */
  readonly course: string;
  readonly isOfCourse: string;
  /** Whether it can be visible to non-staff; other locks are checked at search time. */
  readonly isOpen: string;
}

/** The key is the kind's term in the index; its position here gives the last two bits of the row number. */
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

/** The row number of an item in the index. */
const numberOf = (kind: CourseText, id: string) => `(${id} * 4 + ${order.indexOf(kind)})`;

/** HTML without tags: split at every `<`, and of each piece the text after `>`. */
const plain = (html: string) =>
  `(select group_concat(iif(j.key = 0, j.value, substr(j.value, instr(j.value, '>') + 1)), ' ') from json_each('[' || replace(json_quote(coalesce(${html}, '')), '<', '","') || ']') j)`;

/**
 * Scripts written without spaces between words (Thai and Lao, Burmese, Khmer, Chinese and Japanese), as character ranges.
 * At most six ranges: D1 limits patterns to fifty bytes.
 */
const unspacedLetters = '\u{0E00}-\u{0EFF}\u{1000}-\u{109F}\u{1780}-\u{17FF}\u{3040}-\u{9FFF}\u{F900}-\u{FAFF}\u{20000}-\u{3FFFF}';

/**
 * A text followed by every pair of adjacent characters in unspaced scripts: words there are found by their pairs.
 * Split into pieces first, because each step copies the rest of its piece.
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

const kept = (kind: CourseText) => {
  const { table, title, body, place } = kinds[kind];
  const columns = [title, body, ...place];
  const drop = `delete from course_words where rowid = ${numberOf(kind, 'old.id')};`;
  const keep = (event: 'insert' | 'update' | 'delete', run: readonly string[]) =>
    trigger({
      on: table,
      name: `search_words_${event}`,
      event,
      ...(event === 'update' && { of: columns, when: columnsDiffer(columns) }),
      run,
      purpose: 'Update the words by which the search in a course finds the row.',
    });
  return [keep('insert', [add(kind, 'new')]), keep('update', [drop, add(kind, 'new')]), keep('delete', [drop])];
};

export const courseWordTriggers = order.flatMap(kept);

const unspaced = new RegExp(`[${unspacedLetters}]+`, 'gu');
export const isUnspaced = (word: string): boolean => word.search(unspaced) >= 0;

/** The index terms of a search word: its character pairs in unspaced scripts; otherwise, or for a single character, a prefix. */
const soughtOf = (word: string): string[] => {
  const runs = (word.match(unspaced) ?? []).map((run) => [...run]);
  if (runs.length === 0) return [`"${word}"*`];
  return runs.flatMap((run) => (run.length === 1 ? [`"${run[0]}"*`] : run.slice(1).map((message, at) => `"${run[at]}${message}"`)));
};

/**
 * The index query: texts of one kind in a course with words that begin like these, in title or body. For unspaced scripts the pairs may be apart, so
 * the caller must check the text as well.
 * @param words only alphanumeric characters and marks
 */
export function wordsMatch(kind: CourseText, course_id: number, words: readonly string[], openOnly: boolean): string {
  const place = `{place} : ${kind}${openOnly ? 'o' : ''}${course_id}`;
  const query = [...new Set(words.flatMap(soughtOf))].slice(0, 40);
  return query.length === 0 ? place : `${place} AND {title body} : (${query.join(' AND ')})`;
}

/** Rebuilds the index after rows were written without triggers. */
export const courseWordsAgain: readonly string[] = [
  'delete from course_words;',
  ...order.map((kind) => add(kind, kinds[kind].table, ` from ${kinds[kind].table}`)),
];
