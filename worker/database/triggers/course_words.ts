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
export const numberOf = (kind: CourseText, id: string) => `(${id} * 4 + ${order.indexOf(kind)})`;

/** HTML without its tags: cut at every `<`, and of each piece what stands behind the `>`. */
const plain = (html: string) =>
  `(select group_concat(iif(key = 0, value, substr(value, instr(value, '>') + 1)), ' ') from json_each('[' || replace(json_quote(coalesce(${html}, '')), '<', '","') || ']'))`;

const add = (kind: CourseText, row: string, from = '') => {
  const of = (expression: string) => expression.replaceAll('$', row);
  const { title, body, course, isOfCourse, isOpen } = kinds[kind];
  const id = `cast(${of(course)} as int)`;
  return `insert into course_words (rowid, place, title, body) select ${numberOf(kind, `${row}.id`)}, '${kind}' || ${id} || iif(${of(isOpen)}, ' ${kind}o' || ${id}, ''), ${row}.${title}, ${plain(`${row}.${body}`)}${from}
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
  `create virtual table course_words using fts5(place, title, body, content = '', contentless_delete = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2');`,
  ...order.flatMap(kept),
];

/**
 * What the index is asked for: texts of one kind in a course that have words beginning so, each in the title or in the body.
 * @param words letters and digits alone
 */
export const wordsMatch = (kind: CourseText, course_id: number, words: readonly string[], openOnly: boolean): string =>
  `{place} : ${kind}${openOnly ? 'o' : ''}${course_id} AND {title body} : (${words.map((word) => `"${word}"*`).join(' AND ')})`;

/** Statements that write the words anew, where rows have come without their triggers. */
export const courseWordsAgain: readonly string[] = [
  'delete from course_words;',
  ...order.map((kind) => add(kind, kinds[kind].table, ` from ${kinds[kind].table}`)),
];
