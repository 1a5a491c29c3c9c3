// Grading standards: every endpoint, in the order of the API reference.

import { bool, listOf, number, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { eq, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { found, invalid } from '../../http/problem';
import { list, one, type Reply, row, write } from '../../http/reply';
import { checkScaling, entriesOf, entryField } from './entries';
import { gradingStandard } from './json';
import { availableIn, isInUse, ownStandard, type StandardContext, standardsOfAccount, standardsOfCourse } from './policy';
import { grading_standards } from './table';

export const about = { title: 'Grading standards', description: 'Grading schemes of courses and accounts.' };

const fields = {
  title: optional(text),
  grading_scheme_entry: optional(listOf(entryField)),
  points_based: optional(bool),
  scaling_factor: optional(number),
};
type Given = Shape<typeof fields>;
type Writing = Pick<Call, 'db' | 'now'> & { readonly params: Given };

const ofCourse = '/courses/:course_id/grading_standards';
const ofAccount = '/accounts/:account_id/grading_standards';

function titleOf(title: string | undefined): string {
  if (!title?.trim()) throw invalid('title', 'blank');
  if (title.length > 255) throw invalid('title', 'too_long', 'is too long (maximum is 255 characters)');
  return title;
}

const listIn = (context: StandardContext): Reply =>
  list(rows(grading_standards, { where: availableIn(context), order: descending(grading_standards.context_code, grading_standards.id) }));

function createIn(context: StandardContext, { db, params, now }: Writing): Reply {
  const { points_based = false, scaling_factor = 1 } = params;
  checkScaling(points_based, scaling_factor);
  const values = {
    context_type: context.type,
    context_id: context.id,
    title: titleOf(params.title),
    entries: entriesOf(params.grading_scheme_entry ?? []),
    points_based,
    scaling_factor,
    created_at: now,
    updated_at: now,
  };
  return write(
    [db.build.insert(grading_standards).values(values)],
    one(rows(grading_standards, { where: eq(grading_standards.id, sql`last_insert_rowid()`) })),
  );
}

async function updateIn(context: StandardContext, id: number, { db, params, now }: Writing): Promise<Reply> {
  const [[stored]] = await db.perform([db.build.select().from(grading_standards).where(ownStandard(context, id))]);
  const before = found(stored);
  const after = {
    entries: params.grading_scheme_entry ? entriesOf(params.grading_scheme_entry) : before.entries,
    points_based: params.points_based ?? before.points_based,
    scaling_factor: params.scaling_factor ?? before.scaling_factor,
  };
  checkScaling(after.points_based, after.scaling_factor);
  const changesGrades = Object.entries(after).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(lookUp<unknown>(before, name)),
  );
  if (changesGrades && before.used_at !== null)
    throw invalid('data', 'invalid', 'Only the title can change once the standard was used for grading');
  const change = { ...(params.title !== undefined && { title: titleOf(params.title) }), updated_at: now };
  const isUnused = sql`${grading_standards.used_at} is null`;
  return write(
    [
      db.build.update(grading_standards).set(change).where(ownStandard(context, id)),
      // A grade may have been given with it meanwhile.
      ...(changesGrades
        ? [
            db.build
              .update(grading_standards)
              .set(after)
              .where(sql`${ownStandard(context, id)} and ${isUnused}`),
          ]
        : []),
    ],
    one(rows(grading_standards, { where: ownStandard(context, id) })),
  );
}

async function deleteIn(context: StandardContext, id: number, { db, now }: Pick<Call, 'db' | 'now'>): Promise<Reply> {
  const [stored, uses] = await db.perform([
    db.build.select().from(grading_standards).where(ownStandard(context, id)),
    db.build
      .select({ in_use: isInUse.as('in_use') })
      .from(grading_standards)
      .where(ownStandard(context, id)),
  ]);
  const gone = found(stored[0]);
  if (uses[0]?.in_use) throw invalid('base', 'invalid', 'The grading standard is in use');
  return write(
    [
      db.build
        .update(grading_standards)
        .set({ workflow_state: 'deleted', updated_at: now })
        .where(sql`${ownStandard(context, id)} and not ${isInUse}`),
    ],
    row(gone),
  );
}

const summaries = {
  list: 'List grading standards',
  get: 'Get a grading standard',
  create: 'Create a grading standard',
  update: 'Update a grading standard',
  delete: 'Delete a grading standard',
} as const;
const changing = { can: 'manage_grades', returns: gradingStandard } as const;

export const gradingStandardRoutes = [
  get(ofCourse, { can: 'read', returns: [gradingStandard], summary: summaries.list }, ({ course }) => listIn(standardsOfCourse(course))),
  get(ofAccount, { can: 'read', returns: [gradingStandard], summary: summaries.list }, ({ account }) =>
    listIn(standardsOfAccount(account)),
  ),

  get(`${ofCourse}/:id`, { can: 'read', returns: gradingStandard, summary: summaries.get }, ({ course, id }) =>
    one(rows(grading_standards, { where: sql`${eq(grading_standards.id, id)} and ${availableIn(standardsOfCourse(course))}` })),
  ),
  get(`${ofAccount}/:id`, { can: 'read', returns: gradingStandard, summary: summaries.get }, ({ account, id }) =>
    one(rows(grading_standards, { where: sql`${eq(grading_standards.id, id)} and ${availableIn(standardsOfAccount(account))}` })),
  ),

  post(ofCourse, { ...changing, params: fields, summary: summaries.create }, ({ course, ...call }) =>
    createIn(standardsOfCourse(course), call),
  ),
  post(ofAccount, { ...changing, params: fields, summary: summaries.create }, ({ account, ...call }) =>
    createIn(standardsOfAccount(account), call),
  ),

  put(`${ofCourse}/:id`, { ...changing, params: fields, summary: summaries.update }, ({ course, id, ...call }) =>
    updateIn(standardsOfCourse(course), id, call),
  ),
  put(`${ofAccount}/:id`, { ...changing, params: fields, summary: summaries.update }, ({ account, id, ...call }) =>
    updateIn(standardsOfAccount(account), id, call),
  ),

  del(`${ofCourse}/:id`, { ...changing, summary: summaries.delete }, ({ course, id, db, now }) =>
    deleteIn(standardsOfCourse(course), id, { db, now }),
  ),
  del(`${ofAccount}/:id`, { ...changing, summary: summaries.delete }, ({ account, id, db, now }) =>
    deleteIn(standardsOfAccount(account), id, { db, now }),
  ),
];
