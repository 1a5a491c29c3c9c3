// The names of items in a cartridge, for links in its texts.

import { sql } from 'drizzle-orm';
import { packageKey } from '../../../cartridge/keys';
import { packagedHtml } from '../../../cartridge/links';
import type { Database } from '../../../database/open';
import { mentionedIn } from '../../course_copy/relink';
import type { ExportedCourse } from '../quiz_parts';
import { archivePath } from '../selection';

/** Rewrites the links of texts. */
export type Repack = (html: string | null) => string;

/** Reads the paths of the files that the texts link to. */
export async function repackFor(db: Database, course: ExportedCourse, texts: readonly (string | null)[]): Promise<Repack> {
  const ids = new Set(texts.flatMap((html) => [...(mentionedIn(html ?? '', course.id).ids.get('file') ?? [])]));
  const paths = new Map<number, string>();
  if (ids.size > 0) {
    const [rows] = await db.perform([
      db.build.all<{ id: number; display_name: string; full_name: string }>(
        sql`select f.id, f.display_name, p.full_name from json_each(${JSON.stringify([...ids])}) j cross join files f on f.id = j.value
          join folders p on p.id = f.folder_id where f.context_type = 'Course' and f.context_id = ${course.id} and f.workflow_state = 'available'`,
      ),
    ]);
    for (const { full_name, ...file } of rows) paths.set(file.id, archivePath(full_name, file));
  }
  return (html) =>
    packagedHtml(html ?? '', course.id, { key: (kind, id) => packageKey(course.uuid, kind, id), path: (id) => paths.get(id) });
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, change)]));
}

/** The same value with the links of all its texts rewritten. */
export async function repacked<T>(db: Database, course: ExportedCourse, value: T): Promise<T> {
  const repack = await repackFor(db, course, textsIn(value));
  return mapped(value, repack) as T;
}
