// The texts of a new domain of courses, after the example of worker/domains/assignment_groups, and the lines that other files need.

export interface DomainNames {
  /** The folder, the table and the URL segment: `seating_charts`. */
  readonly domain: string;
  /** One of them: `seating_chart`. */
  readonly item: string;
}

/** Keywords, and names that the generated files import. */
const taken = new Set(
  `about as case class default delete del eq enum export found get ground id import index int interface list new one ok package post put return
  row rows sql state string switch test time word within write`.split(/\s+/),
);

/** The singular by the regular rules of English; undefined where they do not apply. */
export function singularOf(domain: string): string | undefined {
  if (/ies$/.test(domain)) return domain.replace(/ies$/, 'y');
  if (/zzes$/.test(domain)) return undefined;
  if (/(x|ch|sh|ss|us)es$/.test(domain)) return domain.replace(/es$/, '');
  return /[^su]s$/.test(domain) && !domain.endsWith('zes') ? domain.slice(0, -1) : undefined;
}

/** @throws Error when a file, a table or a constant cannot have these names */
export function domainNamesFor(domain: string, item = singularOf(domain)): DomainNames {
  if (item === undefined || item === domain) throw new Error(`Give a singular of ${domain} that differs from it: --one NAME`);
  for (const name of [domain, item])
    if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) || taken.has(name))
      throw new Error(`${name} cannot be the name of a table and a constant`);
  return { domain, item };
}

const spaced = (name: string) => name.replaceAll('_', ' ');
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const pascal = (name: string) => name.split('_').map(capital).join('');
const camel = (name: string) => pascal(name).replace(/^./, (first) => first.toLowerCase());
const article = (noun: string) => (/^[aeiou]/.test(noun) ? 'an' : 'a');

/** The files of the domain by their paths. Their lines are not wrapped yet. */
export function domainFilesOf({ domain, item }: DomainNames): Readonly<Record<string, string>> {
  const [many, title, Many, Resource, json, chart] = [
    spaced(domain),
    capital(spaced(domain)),
    pascal(domain),
    pascal(item),
    camel(item),
    spaced(item),
  ];
  const a = `${article(chart)} ${chart}`;
  const folder = `worker/domains/${domain}`;
  return {
    [`shared/resources/${item}.ts`]: `// What clients see of ${a} (reference of the API: ${title}).

import { int, oneOf, text, time } from '../wire/fields';
import { resource } from './resource';

export const ${Resource} = resource('${Resource}', {
  id: int,
  course_id: int,
  name: text,
  workflow_state: oneOf('active', 'deleted'),
  created_at: time,
  updated_at: time,
});
`,
    [`${folder}/table.ts`]: `// ${title} of a course.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, state, string } from '../../database/columns';

export const ${domain} = sqliteTable(
  '${domain}',
  {
    id: id(),
    course_id: int().notNull(),
    name: string().notNull(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (${json}) => [index('${domain}_in_course').on(${json}.course_id, ${json}.workflow_state, ${json}.name, ${json}.id)],
);
`,
    [`${folder}/policy.ts`]: `// Which ${many} are visible.

import { and, eq } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { ${domain} } from './table';

export const present${Many} = (course: CourseContext) => and(eq(${domain}.course_id, course.id), eq(${domain}.workflow_state, 'active'));
export const only${Resource} = (course: CourseContext, id: number) => and(present${Many}(course), eq(${domain}.id, id));
`,
    [`${folder}/json.ts`]: `// ${title} as clients see them.

import { ${Resource} } from '@carrel/shared/resources/${item}';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { ${domain} } from './table';

export const ${json} = serializer({
  resource: ${Resource},
  table: ${domain},
  json: (row: RowOf<typeof ${domain}>) => row,
});
`,
    [`${folder}/routes.ts`]: `// ${title}: every endpoint, in the order of the API reference.

import { optional, word } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { found } from '../../http/problem';
import { list, one, row, write } from '../../http/reply';
import { ${json} } from './json';
import { only${Resource}, present${Many} } from './policy';
import { ${domain} } from './table';

export const about = { title: '${title}', description: '${title} of a course.' };

const path = '/courses/:course_id/${domain}';

export const ${json}Routes = [
  get(path, { can: 'read', returns: [${json}], summary: 'List ${many}' }, ({ course }) =>
    list(rows(${domain}, { where: present${Many}(course), order: ascending(${domain}.name, ${domain}.id) })),
  ),

  get(\`\${path}/:id\`, { can: 'read', returns: ${json}, summary: 'Get ${a}' }, ({ course, id }) =>
    one(rows(${domain}, { where: only${Resource}(course, id) })),
  ),

  post(
    path,
    { can: 'manage_course_content_add', params: { name: word }, returns: ${json}, summary: 'Create ${a}' },
    ({ db, course, params, now }) =>
      write(
        [db.build.insert(${domain}).values({ course_id: course.id, name: params.name, created_at: now, updated_at: now })],
        one(rows(${domain}, { where: eq(${domain}.id, sql\`last_insert_rowid()\`) })),
      ),
  ),

  put(
    \`\${path}/:id\`,
    { can: 'manage_course_content_edit', params: { name: optional(word) }, returns: ${json}, summary: 'Update ${a}' },
    ({ db, course, id, params, now }) =>
      write(
        [db.build.update(${domain}).set({ name: params.name, updated_at: now }).where(only${Resource}(course, id))],
        one(rows(${domain}, { where: only${Resource}(course, id) })),
      ),
  ),

  del(\`\${path}/:id\`, { can: 'manage_course_content_delete', returns: ${json}, summary: 'Delete ${a}' }, async ({ db, course, id, now }) => {
    const [[before]] = await db.perform([db.build.select().from(${domain}).where(only${Resource}(course, id))]);
    const gone = { ...found(before), workflow_state: 'deleted' as const, updated_at: now };
    return write([db.build.update(${domain}).set({ workflow_state: 'deleted', updated_at: now }).where(only${Resource}(course, id))], row(gone));
  }),
];
`,
    [`test/api/${domain}.test.ts`]: `// ${title} of a course.

import { ${domain} } from '@carrel/worker/domains/${domain}/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const at = (course: { id: number }, rest = '') => \`/courses/\${course.id}/${domain}\${rest}\`;

test('a course lists its ${many} by name', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const second = ok(within(await as(teacher).post(at(course), { name: 'Second' }), 3));
  expect(second).toMatchObject({ name: 'Second', course_id: course.id, workflow_state: 'active' });
  ok(await as(teacher).post(at(course), { name: 'First' }));
  const listed = ok(within(await as(student).get(at(course)), 2));
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(['First', 'Second']);
  expect(ok(within(await as(student).get(at(course, \`/\${second.id}\`)), 2))).toEqual(second);
});

test('${a} is renamed, and is not found once it is deleted', async () => {
  const { course, teacher } = await aCourse(ground);
  const { id } = ok(await as(teacher).post(at(course), { name: 'Draft' }));
  expect(ok(within(await as(teacher).put(at(course, \`/\${id}\`), { name: 'Final' }), 3))).toMatchObject({ id, name: 'Final' });
  expect(ok(within(await as(teacher).del(at(course, \`/\${id}\`)), 3))).toMatchObject({ name: 'Final', workflow_state: 'deleted' });
  ok(await as(teacher).get(at(course, \`/\${id}\`)), 404);
  ok(await as(teacher).put(at(course, \`/\${id}\`), { name: 'Again' }), 404);
  ok(await as(teacher).del(at(course, \`/\${id}\`)), 404);
  expect(ok(await as(teacher).get(at(course)))).toEqual([]);
});

test('a student reads ${many} and cannot change them', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const { id } = ok(await as(teacher).post(at(course), { name: 'First' }));
  ok(await as(student).post(at(course), { name: 'Mine' }), 401);
  ok(await as(student).put(at(course, \`/\${id}\`), { name: 'Mine' }), 401);
  ok(await as(student).del(at(course, \`/\${id}\`)), 401);
  ok(await as(stranger).get(at(course)), 401);
  expect(ok(await as(student).get(at(course)))).toMatchObject([{ id, name: 'First' }]);
});

test('${a} needs a name', async () => {
  const { course, teacher } = await aCourse(ground);
  ok(await as(teacher).post(at(course), {}), 400);
  ok(await as(teacher).post(at(course), { name: ' ' }), 400);
  expect(ok(await as(teacher).get(at(course)))).toEqual([]);
});

test('a list of 10,000 ${many} costs as much as a list of ten', async () => {
  const { course, student } = await aCourse(ground);
  const fill = (count: number) => many(count, ${domain}, { course_id: course.id, name: sql\`printf('%05d', n)\` });
  await fill(10);
  const small = within(await as(student).get(at(course), { per_page: 100 }), 2);
  await fill(10_000);
  const large = within(await as(student).get(at(course), { per_page: 100 }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(small.cost.rows_read + 3 * 100);
  const next = within(await as(student).get(large.links.next as string), 2);
  expect(ok(next)).toHaveLength(100);
  expect(next.cost.rows_read).toBeLessThan(small.cost.rows_read + 3 * 100 + 100);
});
`,
  };
}

/** The order with the domain as the last one of courses: the domains of users, which come next, may import it. @throws Error without that place */
function withDomain(order: string, domain: string): string {
  const place = /\n(?=\n {2}\/\/ What a user sees)/;
  if (!place.test(order)) throw new Error('worker/domains/order.ts has no part “What a user sees”');
  return order.replace(place, `\n  '${domain}',\n`);
}

/** The text with entries at the end of its last object. */
const atEnd = (text: string, ...entries: string[]) => {
  const at = text.lastIndexOf('\n};');
  return `${text.slice(0, at)}\n${entries.join('\n')}${text.slice(at)}`;
};

/** The operations in their places: those of a method are together, sorted by address. */
function withOperations(ledger: string, operations: readonly string[]): string {
  const methodOf = (line: string) => line.split(' ')[0];
  return operations.reduce((text, operation) => {
    const lines = text.split('\n');
    const next = lines.findIndex((line) => methodOf(line) === methodOf(operation) && line > operation);
    const at = next < 0 ? lines.findLastIndex((line) => methodOf(line) === methodOf(operation)) + 1 : next;
    return lines.toSpliced(at, 0, operation).join('\n');
  }, ledger);
}

/** What other files need of the domain: each path with the change of its text. */
export function changesFor({ domain }: DomainNames): Readonly<Record<string, (text: string) => string>> {
  const path = `/courses/:course_id/${domain}`;
  const writes = [`POST ${path}`, `PUT ${path}/:id`, `DELETE ${path}/:id`];
  const operations = [`GET ${path}`, `GET ${path}/:id`, ...writes].map((one) => one.replace(' ', ' /api/v1'));
  return {
    'worker/domains/order.ts': (text) => withDomain(text, domain),
    'test/ledger.txt': (text) => withOperations(text, operations),
    'test/support/budgeted.ts': (text) => atEnd(text, `  'GET ${path}': 'test/api/${domain}.test.ts holds it.',`),
    'test/support/unfed.ts': (text) => atEnd(text, ...writes.map((one) => `  '${one}': 'the feed has no ${spaced(domain)}',`)),
  };
}
