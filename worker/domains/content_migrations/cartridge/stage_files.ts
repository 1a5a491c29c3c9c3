// Stages the files of a package, each in a step, with their folders and restrictions.

import { sql } from 'drizzle-orm';
import type { Packaged } from '../../../cartridge/settings/shape';
import type { filesShape } from '../../../cartridge/settings/shapes';
import { randomText } from '../../../database/tokens';
import { justifications, licenseOf, usualLicense } from '../../content_licenses/licenses';
import { contentType } from '../../files/content_types';
import { type FolderLevel, folderAt, folderName, type Holder, makePath } from '../../files/folders/paths';
import { displayName, namesInTurn, storedName } from '../../files/names';
import { newBlobKey, storeBlob } from '../../files/upload/blobs';
import { contentOf } from '../../sis_imports/files/archive';
import { expectBlob } from '../../sis_imports/files/kept_files';
import type { OpenPackage } from '../package/open';
import { Unimportable } from '../work';
import type { PackagedDocument } from './contents';
import { type Staging, shortIdentifier } from './staging';

export type FilesMeta = Packaged<typeof filesShape>;
type FileMeta = NonNullable<FilesMeta['files']>[number];

const root = 'web_resources/';

/** Where a file goes below the root folder. Pure. */
export function packagedFilePlace(path: string): { readonly levels: readonly FolderLevel[]; readonly name: string } {
  const parts = (path.startsWith(root) ? path.slice(root.length) : path).split('/').filter((part) => part !== '' && part !== '.');
  return { levels: parts.slice(0, -1).map((name) => ({ name: folderName(name) })), name: displayName(parts.at(-1) ?? '') };
}

const holderOf = ({ course }: Staging): Holder => ({ context_type: 'Course', context_id: course });

/** The root folder, and the folders that are restricted or empty. */
export function stageFolders(staging: Staging, { folders = [] }: FilesMeta): void {
  const { db } = staging.work;
  const holder = holderOf(staging);
  staging.statements.push(...makePath(db, holder, [], staging.now));
  for (const { path = '', locked, hidden, lock_at = null, unlock_at = null } of folders) {
    const levels = path
      .split('/')
      .filter((part) => part !== '' && part !== '.' && part !== '..')
      .map((name) => ({ name: folderName(name) }));
    if (levels.length === 0) continue;
    staging.statements.push(...makePath(db, holder, levels, staging.now));
    staging.run(
      sql`update folders set locked = ${locked ? 1 : 0}, hidden = ${hidden ? 1 : 0}, lock_at = ${lock_at}, unlock_at = ${unlock_at} where id = (${folderAt(holder, levels)})`,
    );
  }
}

function usageRights(meta: FileMeta | undefined) {
  const [given] = meta?.usage_rights ?? [];
  const use_justification = justifications.find((one) => one === given?.use_justification);
  const license = use_justification && licenseOf(given?.license || usualLicense(use_justification));
  if (!license) return null;
  return {
    use_justification,
    legal_copyright: given?.legal_copyright?.slice(0, 1000) ?? null,
    license: license.id,
    license_name: license.name,
  };
}

/** Stores one file of the package. Its bytes are checked while they are unpacked. */
export async function stagePackagedFile(
  staging: Staging,
  opened: OpenPackage,
  { identifier, path }: PackagedDocument,
  meta: FilesMeta,
): Promise<void> {
  const { work, now } = staging;
  const { db, env, it, meter } = work;
  const entry = opened.entries.get(path);
  if (!entry) throw new Unimportable(`${path} is missing`);
  const own = meta.files?.find((one) => one.identifier === identifier);
  const { levels, name } = packagedFilePlace(path);
  const display_name = own?.display_name ? displayName(own.display_name) : name;
  const holder = holderOf(staging);
  const key = newBlobKey();
  const folder = folderAt(holder, levels);
  const [, taken] = await db.perform([
    expectBlob(db, key, now),
    db.build.all<{ display_name: string }>(
      sql`select f.display_name from files f where f.folder_id = (${folder}) and f.workflow_state = 'available'`,
    ),
  ]);
  const names = new Set(taken.map((one) => one.display_name));
  const free = namesInTurn(display_name, randomText(12)).find((one) => !names.has(one)) ?? display_name;
  meter.r2_calls += 2;
  const { size, sha256 } = await storeBlob(env.FILES, key, contentOf(env.FILES, opened.key, entry), entry.size, meter);
  const rights = usageRights(own);
  staging.run(sql`update blobs set size = ${size}, sha256 = ${sha256}, unsure_since = null where key = ${key}`);
  staging.statements.push(...makePath(db, holder, levels, now));
  staging.run(
    sql`insert into files (context_type, context_id, folder_id, uuid, display_name, filename, content_type, size, blob_id, user_id, category, locked, hidden, lock_at, unlock_at, usage_rights, workflow_state, created_at, updated_at)
      select 'Course', ${staging.course}, (${folder}), ${randomText(40)}, ${free}, ${storedName(free)}, ${contentType(undefined, free)}, ${size}, (select id from blobs where key = ${key}), ${it.user_id},
        'uncategorized', ${own?.locked || (it.settings.locks_files && rights === null) ? 1 : 0}, ${own?.hidden ? 1 : 0}, ${own?.lock_at ?? null}, ${own?.unlock_at ?? null}, ${rights === null ? null : JSON.stringify(rights)}, 'available', ${now}, ${now}`,
  );
  const rows = [identifier, `path:${path}`].map((one) => ({ identifier: shortIdentifier(one) }));
  staging.remember('file', rows, sql`(select max(id) from files)`);
}
