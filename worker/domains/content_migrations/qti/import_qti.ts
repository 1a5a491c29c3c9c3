// Imports the quizzes and question banks of a QTI package. First every document is read once, so that a broken archive imports nothing; then each
// document is one step.

import { sql } from 'drizzle-orm';
import { readManifest } from '../../../cartridge/manifest';
import { looseQtiDocuments, type QtiDocument, qtiDocumentsOf } from '../../../cartridge/qti/package';
import { readQti } from '../../../cartridge/qti/read';
import type { QtiContent } from '../../../cartridge/qti/types';
import { type PackagedQuiz, readQuizSettings } from '../../../cartridge/settings/quiz';
import { BadXml } from '../../../cartridge/xml/read';
import { byCopy } from '../../course_copy/work';
import type { QuestionData } from '../../quiz_questions/table';
import { contentOf, type ZipEntry, zipEntriesOf } from '../../sis_imports/files/archive';
import { addIssue, type MigrationWork, Unimportable } from '../work';
import { placeOfEntry } from '../zip/entry_names';
import { type KnownItems, QuizWriting } from './write_quizzes';

const mostEntries = 20_000;
/** Bytes of a document; it is read as a whole. */
const largest = 20 * 1024 * 1024;
const manifestName = 'imsmanifest.xml';

interface OpenPackage {
  readonly key: string;
  /** By the path below the folder of the manifest. */
  readonly entries: ReadonlyMap<string, ZipEntry>;
}

async function openPackage({ db, env, it, meter }: MigrationWork): Promise<OpenPackage> {
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

async function textOf({ env, meter }: MigrationWork, { key, entries }: OpenPackage, path: string): Promise<string> {
  const entry = entries.get(path);
  if (!entry) throw new Unimportable(`${path} is missing`);
  if (entry.size > largest) throw new Unimportable(`${path} is too large`);
  meter.r2_calls += 2;
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of contentOf(env.FILES, key, entry)) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}

/** Documents that no quiz has settings for come first: banks, which quizzes refer to. */
async function documentsOf(work: MigrationWork, opened: OpenPackage): Promise<QtiDocument[]> {
  const paths = [...opened.entries.keys()];
  const found = opened.entries.has(manifestName)
    ? qtiDocumentsOf(readManifest(await textOf(work, opened, manifestName)), paths)
    : looseQtiDocuments(paths);
  if (found.length === 0) throw new Unimportable('the package contains no quizzes and no question banks');
  return [...found.filter(({ meta }) => meta === undefined), ...found.filter(({ meta }) => meta !== undefined)];
}

const identifiersIn = ({ assessments, banks }: QtiContent): string[] => [
  ...assessments.flatMap(({ identifier, entries }) => [
    identifier,
    ...entries.flatMap((entry) =>
      'reference' in entry ? [entry.reference] : 'group' in entry && entry.group.bank ? [entry.group.bank.identifier] : [],
    ),
  ]),
  ...banks.map(({ identifier }) => identifier),
];

interface KnownRow {
  readonly kind: string;
  readonly identifier: string;
  readonly item_id: number;
  readonly question: string | null;
}

/** What the document refers to, as far as it was imported into this course and is not deleted. */
async function knownItems({ db, it }: MigrationWork, content: QtiContent): Promise<KnownItems> {
  const wanted = JSON.stringify(identifiersIn(content));
  const [rows] = await db.perform([
    db.build.all<KnownRow>(
      sql`select i.kind, i.identifier, i.item_id, iif(i.kind = 'quiz_question', (select json_object('question_name', n.question_name, 'question_type', n.question_type, 'question_text', n.question_text, 'points_possible', n.points_possible, 'data', json(n.data)) from quiz_questions n where n.id = i.item_id), null) as question
        from json_each(${wanted}) w cross join imported_items i on i.context_type = 'Course' and i.context_id = ${it.context_id} and i.kind in ('quiz', 'question_bank', 'quiz_question') and i.identifier = w.value
        where case i.kind when 'quiz' then exists (select 1 from quizzes q where q.id = i.item_id and q.workflow_state <> 'deleted')
          when 'question_bank' then exists (select 1 from question_banks b where b.id = i.item_id and b.workflow_state = 'active')
          else exists (select 1 from quiz_questions n where n.id = i.item_id and n.workflow_state = 'active') end`,
    ),
  ]);
  const found = new Map(rows.map((row) => [`${row.kind} ${row.identifier}`, row]));
  return {
    id: (kind, identifier) => found.get(`${kind} ${identifier}`)?.item_id,
    question: (identifier) => {
      const row = found.get(`quiz_question ${identifier}`)?.question;
      return row
        ? (JSON.parse(row) as {
            question_name: string;
            question_type: string;
            question_text: string;
            points_possible: number;
            data: QuestionData;
          })
        : undefined;
    },
  };
}

async function settingsOfQuiz(work: MigrationWork, opened: OpenPackage, { meta }: QtiDocument): Promise<PackagedQuiz | undefined> {
  return meta === undefined ? undefined : readQuizSettings(await textOf(work, opened, meta));
}

/** One document; what cannot be read is an issue. */
async function importDocument(work: MigrationWork, opened: OpenPackage, document: QtiDocument, at: number, all: number): Promise<void> {
  const { db, it } = work;
  const now = work.now();
  const percent = 20 + (70 * at) / all;
  try {
    const text = await textOf(work, opened, document.path);
    const content = readQti(text);
    const packaged = await settingsOfQuiz(work, opened, document);
    const statements = new QuizWriting(db, it, await knownItems(work, content), now).write(content, packaged);
    const lost = text.includes('IMS-CC-FILEBASE')
      ? [addIssue(db, it.id, 'warning', `Files that questions of ${document.path} show were not imported.`, now)]
      : [];
    await work.commit([...byCopy(db, statements), ...lost], { at: all + at + 1 }, percent);
  } catch (error) {
    if (!(error instanceof BadXml)) throw error;
    await work.commit(
      [addIssue(db, it.id, 'error', `${document.path} could not be read: ${error.message}`, now)],
      { at: all + at + 1 },
      percent,
    );
  }
}

/** @returns whether all documents are imported */
export async function qtiStep(work: MigrationWork, mayGoOn: () => boolean): Promise<boolean> {
  const opened = await openPackage(work);
  const documents = await documentsOf(work, opened).catch((error: unknown) => {
    throw error instanceof BadXml ? new Unimportable(error.message) : error;
  });
  const all = documents.length;
  for (let at = work.it.at; at < 2 * all; at = work.it.at) {
    if (!mayGoOn()) return false;
    const document = documents[at % all] as QtiDocument;
    if (at >= all) {
      await importDocument(work, opened, document, at - all, all);
      continue;
    }
    for (const path of [document.path, document.meta]) if (path !== undefined) await textOf(work, opened, path);
    await work.commit([], { at: at + 1 }, (20 * at) / all);
  }
  return true;
}
