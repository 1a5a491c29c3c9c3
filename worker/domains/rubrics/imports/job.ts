// Imports the rubrics of a CSV file in one batch, which does nothing when it is delivered again.

import { BadCsv } from '@carrel/shared/csv/reader';
import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { type Database, newMeter, open, type Statement } from '../../../database/open';
import type { Job, Platform } from '../../../platform';
import { type ResumableWork, textOfError } from '../../../steps';
import { freeTitle } from '../criteria';
import { longestCriteria, newPartId, rubricValues } from '../input';
import { type ImportError, rubric_imports } from '../table';
import { type ImportedRubric, importedRubrics } from './rows';

type Import = typeof rubric_imports.$inferSelect;

/** The titles of the context that begin with one of these. */
const titlesLike = (db: Database, { context_type, context_id }: Import, titles: readonly string[]) =>
  db.build.all<{ title: string }>(
    sql`select distinct r.title as title from json_each(${JSON.stringify([...new Set(titles)])}) wanted cross join rubrics r
      on r.context_type = ${context_type} and r.context_id = ${context_id} and r.workflow_state = 'active' and r.title >= wanted.value and r.title < wanted.value || ' )'`,
  );

interface NewRubric {
  readonly title: string;
  readonly criteria: string;
  readonly points_possible: number;
}

/** Rubrics with titles that are not taken. Those that are too long to store are reported. */
function newRubrics(given: readonly ImportedRubric[], taken: Set<string>, part: () => string) {
  const made: NewRubric[] = [];
  const errors: ImportError[] = [];
  for (const { title: wanted, criteria } of given) {
    const values = rubricValues({ criteria }, part);
    const text = JSON.stringify(values.criteria);
    if (text.length > longestCriteria) {
      errors.push({ message: `the rubric ${wanted} has too many criteria` });
      continue;
    }
    const title = freeTitle(wanted, taken);
    taken.add(title);
    made.push({ title, criteria: text, points_possible: values.points_possible ?? 0 });
  }
  return { made, errors };
}

/** Parts that a statement can bind: a text may be up to 2 MB long. */
function inParts(all: readonly NewRubric[]): NewRubric[][] {
  const parts: NewRubric[][] = [];
  let size = 0;
  for (const one of all) {
    if (parts.length === 0 || size + one.criteria.length > longestCriteria) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(one);
    size += one.criteria.length;
  }
  return parts;
}

const unfinished = (id: number) =>
  sql`exists (select 1 from rubric_imports i where i.id = ${id} and i.workflow_state in ('created', 'importing'))`;

/** @param unknown the text in place of each rubric's id in the ids of its parts */
function insertRubrics(
  db: Database,
  { id, context_type, context_id, user_id }: Import,
  made: readonly NewRubric[],
  unknown: string,
  now: string,
): Statement[] {
  const place = sql`${context_type}, ${context_id}`;
  return [
    ...inParts(made).map((part) =>
      db.build.run(sql`insert into rubrics (context_type, context_id, user_id, title, criteria, points_possible, rubric_import_id, created_at, updated_at)
        select ${place}, ${user_id}, j.value ->> 'title', j.value ->> 'criteria', j.value ->> 'points_possible', ${id}, ${now}, ${now}
        from json_each(${JSON.stringify(part)}) j where ${unfinished(id)} order by j.key`),
    ),
    db.build.run(sql`update rubrics set criteria = replace(criteria, ${unknown}, id) where rubric_import_id = ${id} and ${unfinished(id)}`),
    db.build.run(sql`insert into rubric_associations (rubric_id, association_type, association_id, context_type, context_id, title, purpose, created_at, updated_at)
      select r.id, ${place}, ${place}, r.title, 'bookmark', ${now}, ${now} from rubrics r where r.rubric_import_id = ${id} and ${unfinished(id)} order by r.id`),
  ];
}

/** Each error is kept, up to this many. */
const mostErrors = 1000;

function finish(db: Database, { id }: Import, errors: readonly ImportError[], count: number, now: string): Statement {
  const workflow_state = errors.length === 0 ? 'succeeded' : count > 0 ? 'succeeded_with_errors' : 'failed';
  return db.build
    .update(rubric_imports)
    .set({
      workflow_state,
      progress: 100,
      csv: null,
      error_count: errors.length,
      error_data: errors.slice(0, mostErrors),
      updated_at: now,
    })
    .where(sql`${rubric_imports.id} = ${id} and ${rubric_imports.workflow_state} in ('created', 'importing')`);
}

/** The rubrics of the file; a file that cannot be read is one error. */
function contentOf({ csv }: Import): ReturnType<typeof importedRubrics> {
  try {
    return importedRubrics(new TextEncoder().encode(csv ?? ''));
  } catch (error) {
    if (!(error instanceof BadCsv)) throw error;
    return { rubrics: [], errors: [{ message: error.message }] };
  }
}

/** Imports whose message was lost. */
export const unfinishedRubricImports: ResumableWork = {
  job: 'rubric_import',
  table: 'rubric_imports',
  unfinished: ['created', 'importing'],
};

/** How long an import is tried again. */
const patience = 60 * 60_000;

/** The import is one batch, so a delivery that is stopped leaves nothing behind, and the next one makes it whole. */
export async function importRubrics({ ids: [id = 0] = [] }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const [[work]] = await db.perform([db.build.select().from(rubric_imports).where(eq(rubric_imports.id, id))]);
  if (!work || (work.workflow_state !== 'created' && work.workflow_state !== 'importing')) return;
  try {
    await importAll(db, work);
  } catch (error) {
    if (Date.now() - Date.parse(work.created_at) < patience) throw error;
    console.error(JSON.stringify({ job: 'rubric_import', id, error: textOfError(error) }));
    await db.perform([finish(db, work, [{ message: 'An error occurred.' }], 0, wireTime(Date.now()))]);
  }
}

async function importAll(db: Database, work: Import): Promise<void> {
  const { rubrics, errors } = contentOf(work);
  const [taken] = await db.perform([
    titlesLike(
      db,
      work,
      rubrics.map(({ title }) => title),
    ),
  ]);
  const unknown = crypto.randomUUID();
  const { made, errors: more } = newRubrics(rubrics, new Set(taken.map(({ title }) => title)), newPartId(unknown));
  const now = wireTime(Date.now());
  await db.perform([...insertRubrics(db, work, made, unknown, now), finish(db, work, [...errors, ...more], made.length, now)]);
}
