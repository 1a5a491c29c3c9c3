// Imports a cartridge in steps: it is read into a staging course that no one sees, then that course is copied by the engine of course copies, with the
// selection of the client. A broken package therefore leaves nothing in the target.

import { type SQL, sql } from 'drizzle-orm';
import { addressedText } from '../../../cartridge/links';
import { readManifest } from '../../../cartridge/manifest';
import { type PackagedRecording, readMediaTracks } from '../../../cartridge/settings/media_tracks';
import { BadXml } from '../../../cartridge/xml/read';
import type { Statement } from '../../../database/open';
import { usedStorage } from '../../files/upload/quota';
import { copyFrom, type Lacking } from '../copying/copy_step';
import { manifestName, type OpenPackage, openPackage, textOf } from '../package/open';
import { type MigrationWork, Unimportable } from '../work';
import { cartridgeContentsOf, documentBytes, mediaTracksName, settingsFolder } from './contents';
import { captionsApart } from './stage_captions';
import { makeStagingCourse } from './stage_course';
import { Staging } from './staging';
import { type OpenCartridge, unitsOf } from './units';

const mostResources = 20_000;
/** Of all documents together: a small package could name one document many times. */
const mostDocumentBytes = 200 * 1024 * 1024;

/** None where they cannot be read, which a unit reports. */
async function captionsIn(work: MigrationWork, opened: OpenPackage): Promise<readonly PackagedRecording[]> {
  const path = `${settingsFolder}${mediaTracksName}`;
  if (!opened.entries.has(path)) return [];
  const text = await textOf(work, opened, path);
  try {
    return readMediaTracks(text);
  } catch (error) {
    if (error instanceof BadXml) return [];
    throw error;
  }
}

/** @throws Unimportable for a package without a readable manifest */
async function openCartridge(work: MigrationWork, course: number): Promise<OpenCartridge> {
  const opened = await openPackage(work);
  if (!opened.entries.has(manifestName)) throw new Unimportable('the package has no imsmanifest.xml');
  const document = await textOf(work, opened, manifestName);
  try {
    const manifest = readManifest(document);
    if (manifest.resources.length > mostResources) throw new Unimportable('the package has too many resources');
    const all = cartridgeContentsOf(manifest, [...opened.entries.keys()]);
    const { recordings, files } = captionsApart(all.files, await captionsIn(work, opened));
    const contents = { ...all, files };
    if (documentBytes(contents, (path) => opened.entries.get(path)?.size ?? 0) > mostDocumentBytes)
      throw new Unimportable('the documents of the package are too large');
    return {
      opened,
      manifest,
      contents,
      recordings,
      text: async (path) => (opened.entries.has(path) ? addressedText(await textOf(work, opened, path), course) : undefined),
    };
  } catch (error) {
    throw error instanceof BadXml ? new Unimportable(`${manifestName} could not be read: ${error.message}`) : error;
  }
}

/** @throws Unimportable when the files of the package are larger than what the quota leaves */
async function checkRoom({ db, it }: MigrationWork, { contents, opened }: OpenCartridge): Promise<void> {
  const { quota } = it.settings;
  if (quota === undefined) return;
  const [[used]] = await db.perform([usedStorage(db, { context_type: it.context_type, context_id: it.context_id })]);
  const bytes = contents.files.reduce((sum, { path }) => sum + Math.max(512, opened.entries.get(path)?.size ?? 0), 0);
  if (bytes > quota - (used?.bytes ?? 0)) throw new Unimportable('the files exceed the quota');
}

/** What the copy updates: what an earlier import of the same package has written, folders at the same path, and groups of the same name. */
function copiesThere({ db, it }: MigrationWork, course: number): Statement[] {
  const pairs = (kind: SQL, from: SQL) =>
    db.build.run(
      sql`insert or ignore into copied_items (course_id, kind, source_id, item_id, source_course_id, copy_id) select ${it.context_id}, ${kind}, s.id, min(t.id), ${course}, 0 ${from} group by s.id`,
    );
  const samePath = sql`from folders s join folders t on t.context_type = 'Course' and t.context_id = ${it.context_id} and t.full_name = s.full_name and t.workflow_state = 'visible' where s.context_type = 'Course' and s.context_id = ${course}`;
  const others = sql`course_id = ${it.context_id} and source_course_id <> ${course}`;
  return [
    // Links to earlier staging courses go: an item is the copy of one original.
    db.build.run(sql`delete from copied_items where ${others} and source_course_id in (select c.id from courses c where c.account_id = 0)`),
    db.build.run(
      sql`insert or ignore into copied_items (course_id, kind, source_id, item_id, source_course_id, copy_id)
        select ${it.context_id}, s.kind, s.item_id, t.item_id, ${course}, 0 from imported_items s join imported_items t
        on t.context_type = 'Course' and t.context_id = ${it.context_id} and t.kind = s.kind and t.identifier = s.identifier where s.context_type = 'Course' and s.context_id = ${course}`,
    ),
    pairs(sql`'folder'`, samePath),
    pairs(
      sql`'assignment_group'`,
      sql`from assignment_groups s join assignment_groups t on t.course_id = ${it.context_id} and t.name = s.name and t.workflow_state = 'available' where s.course_id = ${course}
        and not exists (select 1 from copied_items l where l.kind = 'assignment_group' and l.item_id = t.id)`,
    ),
  ];
}

/** @returns whether the whole package is staged */
async function stageStep(work: MigrationWork, course: number, mayGoOn: () => boolean): Promise<boolean> {
  const it = await openCartridge(work, course);
  if (work.it.at === 0) await checkRoom(work, it);
  const units = unitsOf(it);
  while (work.it.at < units.length) {
    if (!mayGoOn()) return false;
    const { at } = work.it;
    const staging = new Staging(work, course);
    const hasMore = await units[at]?.(staging, it);
    await staging.commit(hasMore ? at : at + 1, (40 * at) / units.length);
  }
  await work.commit(copiesThere(work, course), { is_staged: true }, 40);
  return true;
}

/** The copies count against the quota, because their originals go; identifiers name what was imported. */
export function keepCopies({ db, it }: MigrationWork, course: number): Statement[] {
  const copies = (kind: string) =>
    sql`select l.item_id from copied_items l where l.course_id = ${it.context_id} and l.kind = ${sql.raw(`'${kind}'`)} and l.copy_id = ${it.copy_id}`;
  return [
    db.build.run(sql`update files set copied_from_id = null where id in (${copies('file')}) and copied_from_id is not null`),
    db.build.run(
      sql`insert or replace into imported_items (context_type, context_id, kind, identifier, item_id, content_migration_id)
        select 'Course', ${it.context_id}, s.kind, s.identifier, l.item_id, ${it.id} from imported_items s join copied_items l
        on l.course_id = ${it.context_id} and l.kind = s.kind and l.source_id = s.item_id where s.context_type = 'Course' and s.context_id = ${course} and s.identifier not like 'path:%'`,
    ),
  ];
}

/** @returns whether the import is complete; one that waits for a selection is in the state `exported` */
export async function importCartridgeStep(work: MigrationWork, mayGoOn: () => boolean): Promise<boolean> {
  const course = await makeStagingCourse(work);
  if (!work.it.is_staged && !(await stageStep(work, course, mayGoOn))) return false;
  const { selective, selection } = work.it;
  if (selective && selection === null) {
    await work.commit([], { workflow_state: 'exported', at: 0 }, 40);
    return false;
  }
  if (!(await copyFrom(work, course, await lackingIn(work, course), mayGoOn))) return false;
  await work.commit(keepCopies(work, course), {});
  return true;
}

/** A package without settings or syllabus leaves those of the course. */
async function lackingIn({ db }: MigrationWork, course: number): Promise<Lacking> {
  const [[row]] = await db.perform([
    db.build.all<{ settings: number; syllabus: number }>(
      sql`select c.course_code is not null as settings, c.syllabus_body is not null as syllabus from courses c where c.id = ${course}`,
    ),
  ]);
  return { ...(row?.settings === 1 ? {} : { settings: false }), ...(row?.syllabus === 1 ? {} : { syllabus: false }) };
}
