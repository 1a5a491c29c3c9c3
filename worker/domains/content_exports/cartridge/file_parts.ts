// Files of a cartridge, some at a time, and the restrictions of files and folders.

import { type SQL, sql } from 'drizzle-orm';
import { packageKey } from '../../../cartridge/keys';
import type { ManifestResource } from '../../../cartridge/manifest';
import { writeSettings } from '../../../cartridge/settings/shape';
import { filesShape } from '../../../cartridge/settings/shapes';
import type { Database } from '../../../database/open';
import { archivePath } from '../selection';
import type { PartsOf } from './documents';
import type { CartridgePlan } from './plan';

/** The folder of the files in a package. */
const root = 'web_resources';

interface CartridgeFile {
  readonly id: number;
  readonly key: string;
  readonly path: string;
  readonly resource: ManifestResource;
}

/** Rows of the files `f`, their folders `p` and blobs `b`. */
const fromFiles = (course: number, ids: readonly number[]): SQL =>
  sql`from json_each(${JSON.stringify(ids)}) j cross join files f on f.id = j.value join folders p on p.id = f.folder_id join blobs b on b.id = f.blob_id
    where f.context_type = 'Course' and f.context_id = ${course} and f.workflow_state = 'available'`;

/** With the characters of the captions of recordings. */
export const fileSizes = ({ build }: Database, course: number) =>
  build.all<{ id: number; size: number; captions: number }>(
    sql`select f.id, f.size, (case when f.content_type like 'audio/%' or f.content_type like 'video/%'
        then coalesce((select sum(length(t.content)) from media_tracks t where t.file_id = f.id), 0) else 0 end) as captions
      from files f where f.context_type = 'Course' and f.context_id = ${course} and f.workflow_state = 'available'`,
  );

/** Those of the ids that are still there. */
export async function cartridgeFiles({ db, course, types }: PartsOf, ids: readonly number[]): Promise<CartridgeFile[]> {
  const [rows] = await db.perform([
    db.build.all<{ id: number; display_name: string; full_name: string; key: string }>(
      sql`select f.id, f.display_name, p.full_name, b.key ${fromFiles(course.id, ids)} order by f.id`,
    ),
  ]);
  return rows.map(({ full_name, key, ...file }) => {
    const path = `${root}/${archivePath(full_name, file)}`;
    const identifier = packageKey(course.uuid, 'file', file.id);
    return { id: file.id, key, path, resource: { identifier, type: types.content, href: path, files: [path], dependencies: [] } };
  });
}

interface Restricted {
  readonly locked: number;
  readonly hidden: number;
  readonly lock_at: string | null;
  readonly unlock_at: string | null;
}

const restrictions = ({ locked, hidden, lock_at, unlock_at }: Restricted) => ({
  ...(locked ? { locked: true } : {}),
  ...(hidden ? { hidden: true } : {}),
  ...(lock_at === null ? {} : { lock_at }),
  ...(unlock_at === null ? {} : { unlock_at }),
});

interface FileRow extends Restricted {
  readonly id: number;
  readonly display_name: string;
  readonly full_name: string;
  readonly usage_rights: string | null;
}

type UsageRights = Readonly<Partial<Record<'use_justification' | 'legal_copyright' | 'license', string | null>>>;

function usageRights(text: string | null) {
  if (text === null) return {};
  const { use_justification, legal_copyright, license } = JSON.parse(text) as UsageRights;
  return {
    usage_rights: [
      { ...(use_justification ? { use_justification } : {}), legal_copyright: legal_copyright ?? null, license: license ?? null },
    ],
  };
}

/** files_meta.xml: what is restricted, licensed, empty or has another name; undefined for none. */
export async function filesMeta({ db, course }: PartsOf, { chunks, others }: CartridgePlan): Promise<string | undefined> {
  const ids = chunks.flatMap((chunk) => (chunk.of === 'file' ? chunk.ids : []));
  const isRestricted = (alias: string) =>
    sql.raw(`(${alias}.locked = 1 or ${alias}.hidden = 1 or ${alias}.lock_at is not null or ${alias}.unlock_at is not null)`);
  const [folders, files] = await db.perform([
    db.build.all<Restricted & { full_name: string }>(
      sql`select p.full_name, p.locked, p.hidden, p.lock_at, p.unlock_at from json_each(${JSON.stringify(others.folder ?? [])}) j cross join folders p on p.id = j.value
        where p.context_type = 'Course' and p.context_id = ${course.id} and p.workflow_state = 'visible' and p.parent_folder_id is not null
        and (${isRestricted('p')} or (p.files_count = 0 and p.folders_count = 0)) order by p.full_name`,
    ),
    db.build.all<FileRow>(
      sql`select f.id, f.display_name, p.full_name, f.locked, f.hidden, f.lock_at, f.unlock_at, f.usage_rights ${fromFiles(course.id, ids)}
        and (${isRestricted('f')} or f.usage_rights is not null or f.display_name glob '*[/:\\]*' or f.display_name in ('.', '..')) order by f.id`,
    ),
  ]);
  if (folders.length + files.length === 0) return undefined;
  return writeSettings(filesShape, {
    folders: folders.map(({ full_name, ...one }) => ({ path: full_name.split('/').slice(1).join('/'), ...restrictions(one) })),
    files: files.map((one) => ({
      identifier: packageKey(course.uuid, 'file', one.id),
      ...restrictions(one),
      display_name: one.display_name,
      ...usageRights(one.usage_rights),
    })),
  });
}
