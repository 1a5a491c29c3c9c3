// An institution of any size, in bulk SQL: courses with a little of everything around a few courses and people that stay the same.

import type { D1Database } from '@cloudflare/workers-types';

/** What each course of a band holds. */
export interface Counts {
  readonly students: number;
  readonly assignments: number;
  readonly pages: number;
  readonly topics: number;
  readonly entries: number;
  readonly modules: number;
  readonly items: number;
  readonly folders: number;
  readonly files: number;
  readonly events: number;
  /** Of each person. */
  readonly notes: number;
  /** One for each two people of a course, with so many messages. */
  readonly messages: number;
}

export const usual: Counts = {
  students: 1,
  assignments: 2,
  pages: 2,
  topics: 2,
  entries: 1,
  modules: 1,
  items: 2,
  folders: 2,
  files: 2,
  events: 1,
  notes: 1,
  messages: 1,
};

export interface Band {
  readonly courses: number;
  readonly each: Counts;
  /** Text that no other band has. */
  readonly name: string;
}

/** The first id of each table's rows in a band. */
export type Firsts = Readonly<Record<string, number>>;

const at = "'2026-09-01T08:00:00Z'";
const chunk = 200_000;
/** A day of the autumn, spread by a number. */
const day = (n: string, month = '11') => `printf('2026-${month}-%02dT12:00:00Z', 1 + (${n}) % 28)`;
const lorem = `'<p>' || replace(hex(zeroblob(100)), '00', 'Words. ') || '</p>'`;

interface Insertion {
  readonly table: string;
  readonly count: number;
  /** Column by column, SQL over `n`, the row's number from 0, and `id`. */
  readonly columns: Readonly<Record<string, string>>;
  readonly hasId?: boolean;
}

/** Without its triggers and indexes a table fills several times faster; they are put back as they were. */
export async function inBulk(d1: D1Database, work: () => Promise<void>): Promise<void> {
  const { results } = await d1
    .prepare(
      "select type, name, sql from sqlite_master where type in ('trigger', 'index') and sql is not null and name not like '\\_cf%' escape '\\'",
    )
    .all<{ type: string; name: string; sql: string }>();
  for (const { type, name } of results) await d1.prepare(`drop ${type} "${name}"`).run();
  await work();
  for (const type of ['index', 'trigger']) for (const one of results) if (one.type === type) await d1.prepare(one.sql).run();
}

export async function rowsIn(d1: D1Database): Promise<Record<string, number>> {
  const { results } = await d1
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like 'd1%' and substr(name, 1, 3) <> '_cf'",
    )
    .all<{ name: string }>();
  const counted: Record<string, number> = {};
  for (const { name } of results) counted[name] = (await d1.prepare(`select count(*) as n from "${name}"`).first<number>('n')) ?? 0;
  return counted;
}

/** Courses with their people and everything in them. Returns where the band's rows begin. */
export async function fill(d1: D1Database, { courses, each, name }: Band): Promise<Firsts> {
  const people = each.students + 1;
  const firsts: Record<string, number> = {};
  const first = async (table: string): Promise<number> => {
    firsts[table] ??= ((await d1.prepare(`select max(id) as id from ${table}`).first<number>('id')) ?? 0) + 1;
    return firsts[table];
  };
  const insert = async ({ table, count, columns, hasId = true }: Insertion): Promise<void> => {
    const from = hasId ? await first(table) : 0;
    const named = hasId ? { id: `${from} + n`, ...columns } : columns;
    const values = Object.values(named).map((value) => value.replaceAll('$id', `(${from} + n)`));
    for (let done = 0; done < count; done += chunk) {
      const last = Math.min(count, done + chunk) - 1;
      await d1
        .prepare(
          `with recursive counted(n) as (select ${done} union all select n + 1 from counted where n < ${last}) insert into ${table} (${Object.keys(named).join(', ')}) select ${values.join(', ')} from counted`,
        )
        .run();
    }
  };
  const [c0, s0, g0, u0] = [await first('courses'), await first('sections'), await first('assignment_groups'), await first('users')];
  const [a0, p0, t0, m0, d0, b0, v0] = [
    await first('assignments'),
    await first('pages'),
    await first('discussion_topics'),
    await first('modules'),
    await first('folders'),
    await first('blobs'),
    await first('conversations'),
  ];
  /** The course of the nth row of a table that has so many per course. */
  const of = (k: number) => `(${c0} + n / ${k})`;
  const teacherOf = (k: number) => `(${u0} + n / ${k} * ${people})`;
  const studentOf = (k: number) => `(${u0} + n / ${k} * ${people} + 1)`;
  const stamps = { created_at: at, updated_at: at };
  const uuid = (prefix: string) => `'${name}-${prefix}-' || $id`;

  await insert({
    table: 'courses',
    count: courses,
    columns: {
      account_id: `coalesce((select min(id) from accounts where parent_account_id = 1 and id >= 2 + $id % (select max(id) from accounts)), 1)`,
      root_account_id: '1',
      enrollment_term_id: '1',
      name: `'Course ' || ($id * 7919 % 100003) || ' of ${name}'`,
      course_code: `'C-' || $id`,
      uuid: uuid('course'),
      workflow_state: "'available'",
      syllabus_body: lorem,
      ...stamps,
    },
  });
  await insert({ table: 'sections', count: courses, columns: { course_id: of(1), name: `'Section ' || n`, is_default: '1', ...stamps } });
  await insert({
    table: 'assignment_groups',
    count: courses,
    columns: { course_id: of(1), name: "'Assignments'", position: '1', ...stamps },
  });

  const persons = courses * people;
  const named = (id: string) => `'Person ' || (${id} * 7919 % 100003)`;
  await insert({
    table: 'users',
    count: persons,
    columns: { name: named('$id'), short_name: named('$id'), sortable_name: named('$id'), uuid: uuid('user'), ...stamps },
  });
  const login = `'person-' || (${u0} + n) || '@example.edu'`;
  const whose = { user_id: `(${u0} + n)` };
  await insert({ table: 'logins', count: persons, columns: { ...whose, account_id: '1', unique_id: login, ...stamps } });
  await insert({
    table: 'communication_channels',
    count: persons,
    columns: { ...whose, address: login, workflow_state: "'active'", ...stamps },
  });
  await insert({
    table: 'tokens',
    count: persons,
    columns: { ...whose, token_hash: uuid('token'), token_hint: "'abcde...'", purpose: "'bench'", ...stamps },
  });
  const isTeacher = `n % ${people} = 0`;
  const enrolled = {
    ...whose,
    course_section_id: `(${s0} + n / ${people})`,
    enrollment_state: "'active'",
    sortable_name: named(`(${u0} + n)`),
    ...stamps,
  };
  await insert({
    table: 'enrollments',
    count: persons,
    columns: {
      ...enrolled,
      course_id: of(people),
      type: `case when ${isTeacher} then 'TeacherEnrollment' else 'StudentEnrollment' end`,
      role_id: `case when ${isTeacher} then 4 else 3 end`,
    },
  });

  await insert({
    table: 'assignments',
    count: courses * each.assignments,
    columns: {
      course_id: of(each.assignments),
      assignment_group_id: `(${g0} + n / ${each.assignments})`,
      name: `'Assignment ' || (n % ${each.assignments})`,
      description: lorem,
      position: `1 + n % ${each.assignments}`,
      points_possible: '10',
      submission_types: `'["online_text_entry"]'`,
      due_at: day('n'),
      lti_context_id: uuid('lti'),
      workflow_state: "'published'",
      ...stamps,
    },
  });
  // Half of the assignments, handed in by each course's first student.
  const handed = Math.max(1, Math.floor(each.assignments / 2));
  const assignment = `(${a0} + n / ${handed} * ${each.assignments} + n % ${handed})`;
  await insert({
    table: 'submissions',
    count: courses * handed,
    hasId: false,
    columns: {
      id: `${assignment} * 67108864 + ${studentOf(handed)}`,
      course_id: of(handed),
      assignment_id: assignment,
      user_id: studentOf(handed),
      attempt: '1',
      submission_type: "'online_text_entry'",
      body: "'<p>Mine.</p>'",
      submitted_at: at,
      score: '8',
      grade: "'8'",
      graded_attempt: '1',
      graded_at: at,
      posted_at: at,
      grader_id: teacherOf(handed),
      workflow_state: "'graded'",
      ...stamps,
    },
  });
  const inCourse = (k: number) => ({ context_type: "'Course'", context_id: of(k) });
  await insert({
    table: 'pages',
    count: courses * each.pages,
    columns: {
      ...inCourse(each.pages),
      url: `'page-' || (n % ${each.pages})`,
      title: `'Page ' || (n % ${each.pages})`,
      body: lorem,
      editing_roles: "'teachers'",
      front_page: `n % ${each.pages} = 0`,
      todo_date: day('n'),
      workflow_state: "'active'",
      ...stamps,
    },
  });
  await insert({
    table: 'page_revisions',
    count: courses * each.pages,
    columns: {
      page_id: `(${p0} + n)`,
      revision_id: '1',
      url: `'page-' || (n % ${each.pages})`,
      title: `'Page ' || (n % ${each.pages})`,
      body: lorem,
      updated_at: at,
    },
  });
  await insert({
    table: 'discussion_topics',
    count: courses * each.topics,
    columns: {
      ...inCourse(each.topics),
      title: `'Topic ' || (n % ${each.topics})`,
      message: lorem,
      user_id: teacherOf(each.topics),
      is_announcement: 'n % 2',
      position: `n % ${each.topics}`,
      posted_at: day('n', '10'),
      last_reply_at: day('n', '10'),
      entry_count: `${each.entries}`,
      workflow_state: "'active'",
      ...stamps,
    },
  });
  await insert({
    table: 'discussion_entries',
    count: courses * each.topics * each.entries,
    columns: {
      discussion_topic_id: `(${t0} + n / ${each.entries})`,
      user_id: studentOf(each.topics * each.entries),
      message: "'<p>I think so too.</p>'",
      ...stamps,
    },
  });
  await insert({
    table: 'modules',
    count: courses * each.modules,
    columns: {
      course_id: of(each.modules),
      name: `'Week ' || (n % ${each.modules})`,
      position: `1 + n % ${each.modules}`,
      workflow_state: "'active'",
      ...stamps,
    },
  });
  const items = each.modules * each.items;
  const item = (first: number, k: number) => `${first} + n / ${items} * ${k} + n % ${items} / 2 % ${k}`;
  await insert({
    table: 'module_items',
    count: courses * items,
    columns: {
      course_id: of(items),
      module_id: `(${m0} + n / ${each.items})`,
      position: `1 + n % ${each.items}`,
      title: `'Item ' || (n % ${items})`,
      type: `case n % 2 when 0 then 'Page' else 'Assignment' end`,
      content_id: `case n % 2 when 0 then ${item(p0, each.pages)} else ${item(a0, each.assignments)} end`,
      requirement_type: `case n % 2 when 0 then 'must_view' end`,
      published: '1',
      ...stamps,
    },
  });
  await insert({
    table: 'module_progressions',
    count: courses * each.modules,
    hasId: false,
    columns: {
      module_id: `(${m0} + n)`,
      user_id: studentOf(each.modules),
      course_id: of(each.modules),
      state: "'unlocked'",
      updated_at: at,
    },
  });
  await insert({
    table: 'folders',
    count: courses * each.folders,
    columns: {
      ...inCourse(each.folders),
      parent_folder_id: `case when n % ${each.folders} > 0 then ${d0} + n / ${each.folders} * ${each.folders} end`,
      name: `case when n % ${each.folders} = 0 then 'course files' else 'Folder ' || (n % ${each.folders}) end`,
      full_name: `case when n % ${each.folders} = 0 then 'course files' else 'course files/Folder ' || (n % ${each.folders}) end`,
      files_count: `${Math.floor(each.files / each.folders)}`,
      folders_count: `case when n % ${each.folders} = 0 then ${each.folders - 1} else 0 end`,
      ...stamps,
    },
  });
  const files = courses * each.files;
  await insert({
    table: 'blobs',
    count: files,
    columns: { key: uuid('blob'), size: '5000', sha256: `printf('%064d', $id)`, created_at: at },
  });
  await insert({
    table: 'files',
    count: files,
    columns: {
      ...inCourse(each.files),
      folder_id: `(${d0} + n / ${each.files} * ${each.folders} + n % ${each.files} % ${each.folders})`,
      uuid: uuid('file'),
      display_name: `'File ' || (n % ${each.files} * 7919 % 10007) || '.pdf'`,
      filename: `'File_' || (n % ${each.files} * 7919 % 10007) || '.pdf'`,
      content_type: "'application/pdf'",
      size: '5000',
      blob_id: `(${b0} + n)`,
      user_id: teacherOf(each.files),
      modified_at: at,
      workflow_state: "'available'",
      ...stamps,
    },
  });
  await insert({
    table: 'storage',
    count: courses,
    hasId: false,
    columns: { ...inCourse(1), bytes: `${5000 * each.files}` },
  });
  await insert({
    table: 'calendar_events',
    count: courses * each.events,
    columns: {
      context_code: `'course_' || ${of(each.events)}`,
      title: `'Lecture ' || (n % ${each.events})`,
      start_at: day('n'),
      end_at: day('n'),
      ...stamps,
    },
  });
  await insert({
    table: 'planner_notes',
    count: persons * each.notes,
    columns: { user_id: `(${u0} + n / ${each.notes})`, title: `'Note ' || (n % ${each.notes})`, todo_date: day('n'), ...stamps },
  });
  await insert({
    table: 'planner_overrides',
    count: courses,
    columns: {
      user_id: studentOf(1),
      plannable_type: "'assignment'",
      plannable_id: `(${a0} + n * ${each.assignments})`,
      marked_complete: '1',
      ...stamps,
    },
  });

  // Between the teacher and each student of a course.
  const threads = courses * each.students;
  const student = (n: string) => `(${u0} + (${n}) / ${each.students} * ${people} + 1 + (${n}) % ${each.students})`;
  const teacher = (n: string) => `(${u0} + (${n}) / ${each.students} * ${people})`;
  const moved = day('n', '10');
  await insert({
    table: 'conversations',
    count: threads,
    columns: {
      uuid: uuid('thread'),
      subject: "'A question'",
      private: '1',
      private_key: `${teacher('n')} || ',' || ${student('n')}`,
      ...stamps,
    },
  });
  for (const [person, state] of [
    [teacher, 'read'],
    [student, 'unread'],
  ] as const)
    await insert({
      table: 'conversation_participants',
      count: threads,
      hasId: false,
      columns: {
        conversation_id: `(${v0} + n)`,
        user_id: person('n'),
        workflow_state: `'${state}'`,
        message_count: `${each.messages}`,
        last_message: "'Yes.'",
        last_message_at: moved,
        moved_at: moved,
        joined_at: at,
      },
    });
  const message = await first('conversation_messages');
  await insert({
    table: 'conversation_messages',
    count: threads * each.messages,
    columns: {
      conversation_id: `(${v0} + n / ${each.messages})`,
      position: `1 + n % ${each.messages}`,
      author_id: teacher(`n / ${each.messages}`),
      body: "'Yes, on Monday.'",
      created_at: at,
    },
  });
  for (const person of [teacher, student])
    await insert({
      table: 'conversation_message_participants',
      count: threads * each.messages,
      hasId: false,
      columns: {
        conversation_message_id: `(${message} + n)`,
        conversation_id: `(${v0} + n / ${each.messages})`,
        user_id: person(`n / ${each.messages}`),
      },
    });
  return firsts;
}

/** Accounts, terms, administrators and groups of rights grow with the institution too. */
export async function administer(d1: D1Database, courses: number): Promise<void> {
  const count = Math.max(10, Math.floor(courses / 100));
  const many = (table: string, columns: string, values: string) =>
    d1
      .prepare(
        `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count}) insert into ${table} (${columns}) select ${values} from counted`,
      )
      .run();
  await many(
    'accounts',
    'name, parent_account_id, root_account_id, uuid, created_at, updated_at',
    `'Faculty ' || n, 1, 1, 'bench-account-' || n, ${at}, ${at}`,
  );
  await many('terms', 'account_id, name, start_at, created_at, updated_at', `1, 'Term ' || n, ${day('n')}, ${at}, ${at}`);
}

/** What the triggers would have written. */
export async function log(d1: D1Database): Promise<void> {
  const changes: readonly (readonly [kind: string, scope: string, table: string])[] = [
    ['user', "'user_' || id", 'users'],
    ['course', "'course_' || id", 'courses'],
    ['enrollment', "'user_' || user_id", 'enrollments'],
    ['assignment_group', "'course_' || course_id", 'assignment_groups'],
    ['assignment', "'course_' || course_id", 'assignments'],
    ['submission', "'user_' || user_id", 'submissions'],
    ['module', "'course_' || course_id", 'modules'],
    ['page', "'course_' || context_id", 'pages'],
    ['discussion_topic', "'course_' || context_id", 'discussion_topics'],
    ['calendar_event', 'context_code', 'calendar_events'],
    ['planner_note', "'user_' || user_id", 'planner_notes'],
    ['planner_override', "'user_' || user_id", 'planner_overrides'],
    ['folder', "'course_' || context_id", 'folders'],
    ['file', "'course_' || context_id", 'files'],
  ];
  await d1.prepare('delete from changes').run();
  for (const [kind, scope, table] of changes)
    await d1
      .prepare(`insert into changes (scope, kind, item_id, op, changed_at) select ${scope}, '${kind}', id, 'upsert', ${at} from ${table}`)
      .run();
  await d1
    .prepare(
      `insert into changes (scope, kind, item_id, op, changed_at) select 'user_' || user_id, 'conversation', conversation_id, 'upsert', ${at} from conversation_participants`,
    )
    .run();
  await d1.prepare('delete from moments').run();
  await d1
    .prepare(
      "insert into moments (scope, kind, item_id, field, at) select 'course_' || course_id, 'assignment', id, 'due_at', due_at from assignments where due_at is not null",
    )
    .run();
}
