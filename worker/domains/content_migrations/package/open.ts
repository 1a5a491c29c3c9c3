// An uploaded package: its entries, and the text of one of them.

import { sql } from 'drizzle-orm';
import { contentOf, type ZipEntry, zipEntriesOf } from '../../sis_imports/files/archive';
import { type MigrationWork, Unimportable } from '../work';
import { placeOfEntry } from '../zip/entry_names';

const mostEntries = 20_000;
/** Bytes of a document; it is read as a whole. */
const largest = 20 * 1024 * 1024;
export const manifestName = 'imsmanifest.xml';

export interface OpenPackage {
  readonly key: string;
  /** By the path below the folder of the manifest. */
  readonly entries: ReadonlyMap<string, ZipEntry>;
}

export async function openPackage({ db, env, it, meter }: MigrationWork): Promise<OpenPackage> {
  const [[file]] = await db.perform([
    db.build.all<{ key: string; size: number }>(
      sql`select b.key as key, f.size as size from files f join blobs b on b.id = f.blob_id where f.id = ${it.attachment_id} and f.workflow_state = 'available'`,
    ),
  ]);
  if (!file) throw new Unimportable('the package is missing');
  meter.r2_calls += 3;
  const all = (await zipEntriesOf(env.FILES, file.key, file.size, mostEntries)).filter((entry) => placeOfEntry(entry) !== undefined);
  // Some tools pack the folder itself.
  const root =
    all.find(({ name }) => name === manifestName || name.endsWith(`/${manifestName}`))?.name.slice(0, -manifestName.length) ?? '';
  return {
    key: file.key,
    entries: new Map(all.filter(({ name }) => name.startsWith(root)).map((entry) => [entry.name.slice(root.length), entry])),
  };
}

export async function textOf({ env, meter }: MigrationWork, { key, entries }: OpenPackage, path: string): Promise<string> {
  const entry = entries.get(path);
  if (!entry) throw new Unimportable(`${path} is missing`);
  if (entry.size > largest) throw new Unimportable(`${path} is too large`);
  meter.r2_calls += 2;
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of contentOf(env.FILES, key, entry)) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}
