// Unpacks an archive into a folder. First every entry is unpacked into a file that no one sees, then all of them appear: an archive with a broken entry
// leaves nothing behind.

import { sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import { randomText } from '../../../database/tokens';
import { contentType } from '../../files/content_types';
import { type FolderLevel, folderAt, type Holder, makePath } from '../../files/folders/paths';
import { folders } from '../../files/folders/table';
import { storedName } from '../../files/names';
import { files } from '../../files/table';
import { newBlobKey, storeBlob } from '../../files/upload/blobs';
import { completion } from '../../files/upload/complete';
import { usedStorage } from '../../files/upload/quota';
import { contentOf, type ZipEntry, zipEntriesOf } from '../../sis_imports/files/archive';
import { expectBlob } from '../../sis_imports/files/kept_files';
import { addIssue, type MigrationWork, Unimportable } from '../work';
import { type FilePlace, filesAmong } from './entry_names';

const mostFiles = 20_000;
const perStep = 20;

interface Package {
  readonly key: string;
  readonly size: number;
}

interface Target {
  readonly holder: Holder;
  readonly folder_id: number;
  /** The levels of the target folder below the root. */
  readonly levels: readonly FolderLevel[];
}

async function read({ db, it }: MigrationWork): Promise<{ readonly attachment: Package; readonly target: Target; readonly room: number }> {
  const holder = { context_type: it.context_type, context_id: it.context_id };
  const [[attachment], [folder], [used]] = await db.perform([
    db.build.all<Package>(
      sql`select b.key as key, f.size as size from files f join blobs b on b.id = f.blob_id where f.id = ${it.attachment_id} and f.workflow_state = 'available'`,
    ),
    db.build
      .select({ full_name: folders.full_name })
      .from(folders)
      .where(
        sql`${folders.id} = ${it.settings.folder_id ?? 0} and ${folders.context_type} = ${it.context_type} and ${folders.context_id} = ${it.context_id} and ${folders.workflow_state} = 'visible'`,
      ),
    usedStorage(db, holder),
  ]);
  if (!attachment) throw new Unimportable('the package is missing');
  if (!folder) throw new Unimportable('the folder for the files was deleted');
  const levels = folder.full_name
    .split('/')
    .slice(1)
    .map((name) => ({ name }));
  const { quota } = it.settings;
  return {
    attachment,
    target: { holder, folder_id: it.settings.folder_id ?? 0, levels },
    room: quota === undefined ? Number.POSITIVE_INFINITY : quota - (used?.bytes ?? 0),
  };
}

type Unpacked = { readonly entry: ZipEntry; readonly place: FilePlace };

/** Unpacks one entry into a file that is not visible yet. */
async function unpackOne(
  work: MigrationWork,
  key: string,
  { entry, place }: Unpacked,
  target: Target,
  done: number,
  all: number,
): Promise<void> {
  const { db, env, it, meter } = work;
  const blob = newBlobKey();
  const now = work.now();
  await db.perform([expectBlob(db, blob, now)]);
  meter.r2_calls += 2;
  const { size, sha256 } = await storeBlob(env.FILES, blob, contentOf(env.FILES, key, entry), entry.size, meter);
  const path = [...place.folders, place.name].join('/');
  await work.commit(
    [
      db.build.run(sql`update blobs set size = ${size}, sha256 = ${sha256} where key = ${blob}`),
      db.build.run(
        sql`insert into files (context_type, context_id, folder_id, uuid, display_name, filename, content_type, size, blob_id, user_id, category, locked, workflow_state, created_at, updated_at)
          select ${target.holder.context_type}, ${target.holder.context_id}, ${target.folder_id}, ${randomText(40)}, ${place.name}, ${storedName(place.name)}, ${contentType(undefined, place.name)}, ${size},
            (select id from blobs where key = ${blob}), ${it.user_id}, 'uncategorized', ${it.settings.locks_files ? 1 : 0}, 'pending', ${now}, ${now}`,
      ),
      db.build.run(
        sql`insert into imported_items (context_type, context_id, kind, identifier, item_id, content_migration_id)
          values (${it.context_type}, ${it.context_id}, 'file', ${`${it.id}:${path}`}, last_insert_rowid(), ${it.id})`,
      ),
    ],
    { at: done },
    (50 * done) / all,
  );
}

interface Hidden {
  readonly id: number;
  readonly uuid: string;
  readonly display_name: string;
  readonly blob_id: number;
  readonly size: number;
  readonly sha256: string;
  readonly path: string;
}

/** Makes the next files visible. @returns how many */
async function showSome(work: MigrationWork, { holder, levels }: Target, all: number): Promise<number> {
  const { db, it } = work;
  const prefix = `${it.id}:`;
  const [hidden] = await db.perform([
    db.build.all<Hidden>(
      sql`select f.id, f.uuid, f.display_name, f.blob_id, b.size, b.sha256, substr(i.identifier, ${prefix.length + 1}) as path from imported_items i join files f on f.id = i.item_id and f.workflow_state = 'pending' join blobs b on b.id = f.blob_id
        where i.content_migration_id = ${it.id} and i.kind = 'file' and i.item_id > ${Math.max(0, it.at - all)} order by i.item_id limit ${atMost(perStep)}`,
    ),
  ]);
  const last = hidden.at(-1);
  if (!last) return 0;
  const now = work.now();
  const levelsOf = ({ path }: Hidden): FolderLevel[] => [
    ...levels,
    ...path
      .split('/')
      .slice(0, -1)
      .map((name) => ({ name })),
  ];
  const paths = new Map(hidden.map((one) => [JSON.stringify(levelsOf(one)), levelsOf(one)]));
  // Missing folders may be created twice without harm; the files need their ids.
  const made = [...paths.values()].flatMap((path) => makePath(db, holder, path, now));
  const found = await db.perform([
    ...made,
    ...[...paths.values()].map((path) => db.build.all<{ id: number }>(sql`${folderAt(holder, path)}`)),
  ]);
  const ids = found.slice(made.length) as { id: number }[][];
  const folderOf = new Map([...paths.keys()].map((key, at) => [key, ids[at]?.[0]?.id ?? 0]));
  await work.commit(
    hidden.flatMap((one) => {
      const folder_id = folderOf.get(JSON.stringify(levelsOf(one))) ?? 0;
      const waiting = { id: one.id, uuid: one.uuid, display_name: one.display_name, folder_id, on_duplicate: 'overwrite' as const };
      return [
        db.build.update(files).set({ folder_id }).where(sql`${files.id} = ${one.id} and ${files.workflow_state} = 'pending'`),
        ...completion(db, waiting, { id: one.blob_id, size: one.size, sha256: one.sha256 }, now),
      ];
    }),
    // Above the number of entries, `at` has the last file that is visible.
    { at: all + last.id },
    70,
  );
  return hidden.length;
}

/** @returns whether all files are visible */
export async function unzipStep(work: MigrationWork, mayGoOn: () => boolean): Promise<boolean> {
  const { attachment, target, room } = await read(work);
  work.meter.r2_calls += 3;
  const entries = filesAmong(await zipEntriesOf(work.env.FILES, attachment.key, attachment.size, mostFiles));
  const total = entries.reduce((sum, { entry }) => sum + Math.max(512, entry.size), 0);
  if (work.it.at <= entries.length && total > room) throw new Unimportable('the files exceed the quota');
  while (work.it.at < entries.length) {
    if (!mayGoOn()) return false;
    await unpackOne(work, attachment.key, entries[work.it.at] as Unpacked, target, work.it.at + 1, entries.length);
  }
  while (mayGoOn()) if ((await showSome(work, target, entries.length)) === 0) return reportHidden(work);
  return false;
}

/** Files whose folder was deleted meanwhile are not imported. */
async function reportHidden(work: MigrationWork): Promise<boolean> {
  const { db, it } = work;
  const hidden = sql`select f.id from imported_items i join files f on f.id = i.item_id where i.content_migration_id = ${it.id} and i.kind = 'file' and f.workflow_state = 'pending'`;
  const [lost] = await db.perform([db.build.all<{ id: number }>(sql`${hidden} limit 1`)]);
  if (lost.length === 0) return true;
  const now = work.now();
  await work.commit(
    [
      addIssue(db, it.id, 'warning', 'Some files were not imported, because their folder was deleted.', now),
      db.build.run(sql`update files set workflow_state = 'deleted', updated_at = ${now} where id in (${hidden})`),
    ],
    {},
  );
  return true;
}
