// The steps of a cartridge: its plan, some documents or files at a time, then the settings; last the manifest.

import { type ManifestItem, type ManifestResource, resourceTypes } from '../../../cartridge/manifest';
import { bankExport, cartridgeQuiz } from '../../../cartridge/qti/package';
import type { Database } from '../../../database/open';
import { type EntryToWrite, type ExportRun, fileEntry, textEntry } from '../pieces';
import { bankParts, courseToExport, type ExportedCourse, type PackagePart, quizParts } from '../quiz_parts';
import { refusalOfFiles } from '../selection';
import type { content_exports } from '../table';
import { captionParts } from './caption_parts';
import { courseParts } from './course_parts';
import { assignmentParts, type PartsOf, pageParts, topicParts } from './documents';
import { cartridgeFiles, fileSizes } from './file_parts';
import { manifestItems, moduleTree } from './module_parts';
import { repacked } from './names';
import { type CartridgeChunk, type CartridgePlan, planCartridge } from './plan';

type ExportRow = typeof content_exports.$inferSelect;

/** Captions are read as a whole, files are streamed: the captions of a step stay below 4 MB, or are those of one recording. */
const captionWeight = 16;

export async function beginCartridge(db: Database, it: ExportRow): Promise<CartridgePlan | { readonly failure: string }> {
  const [files] = await db.perform([fileSizes(db, it.context_id)]);
  const sizes = new Map(files.map(({ id, size }) => [id, size]));
  const plan = await planCartridge(db, it, new Map(files.map(({ id, size, captions }) => [id, size + captions * captionWeight])));
  const chosen = plan.chunks.flatMap((chunk) => (chunk.of === 'file' ? chunk.ids : []));
  const failure = refusalOfFiles(chosen.map((id) => sizes.get(id) ?? 0));
  return failure === undefined ? plan : { failure };
}

const partsOf: Readonly<Record<Exclude<CartridgeChunk['of'], 'file'>, (on: PartsOf, ids: readonly number[]) => Promise<PackagePart[]>>> = {
  page: pageParts,
  assignment: assignmentParts,
  discussion_topic: topicParts,
  quiz: ({ db, course, types }, ids) =>
    quizParts(db, course, ids, async (...given) => {
      const [quiz, settings] = await repacked(db, course, given);
      return cartridgeQuiz(quiz, settings, types);
    }),
  question_bank: ({ db, course }, ids) => bankParts(db, course, ids, async (bank) => bankExport(await repacked(db, course, bank))),
};

interface Written {
  readonly entries: readonly EntryToWrite[];
  readonly resources: readonly ManifestResource[];
}

const written = (parts: readonly PackagePart[]): Written => ({
  entries: parts.flatMap(({ files }) => files.map(({ path, content }) => textEntry(path, content))),
  resources: parts.flatMap(({ resources }) => resources),
});

const versionOf = ({ selection }: ExportRow): string => selection.version ?? '1.1.0';

/**
 * What a chunk contains; after the last one, the settings of the course.
 * @returns undefined when the course was deleted
 */
export async function exportedChunk(run: ExportRun, it: ExportRow, plan: CartridgePlan, at: number): Promise<Written | undefined> {
  const { db } = run;
  const [[course]] = await db.perform([courseToExport(db, it.context_id)]);
  if (!course) return undefined;
  const on: PartsOf = { db, course, types: resourceTypes(versionOf(it)) };
  const chunk = plan.chunks[at];
  if (!chunk) return written(await courseParts(on, plan, await moduleTree(on, plan.others)));
  if (chunk.of !== 'file') return written(await partsOf[chunk.of](on, chunk.ids));
  const files = await cartridgeFiles(on, chunk.ids);
  const captions = written(await captionParts(on, chunk.ids));
  return {
    entries: [...files.map(({ path, key }) => fileEntry(run, path, key)), ...captions.entries],
    resources: [...files.map(({ resource }) => resource), ...captions.resources],
  };
}

/** What the manifest states besides its resources. */
export async function endOfCartridge(
  db: Database,
  course: ExportedCourse,
  it: ExportRow,
  plan: CartridgePlan | undefined,
): Promise<{ readonly version: string; readonly items: readonly ManifestItem[] }> {
  const version = versionOf(it);
  if (!plan) return { version, items: [] };
  return { version, items: manifestItems(course, await moduleTree({ db, course, types: resourceTypes(version) }, plan.others)) };
}
