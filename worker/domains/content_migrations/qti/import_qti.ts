// Imports the quizzes and question banks of a QTI package. First every document is read once, so that a broken archive imports nothing; then each
// document is one step.

import { readManifest } from '../../../cartridge/manifest';
import { looseQtiDocuments, type QtiDocument, qtiDocumentsOf } from '../../../cartridge/qti/package';
import { readQti } from '../../../cartridge/qti/read';
import { type PackagedQuiz, readQuizSettings } from '../../../cartridge/settings/quiz';
import { BadXml } from '../../../cartridge/xml/read';
import { byCopy } from '../../course_copy/work';
import { manifestName, type OpenPackage, openPackage, textOf } from '../package/open';
import { addIssue, type MigrationWork, Unimportable } from '../work';
import { knownItems } from './known_items';
import { QuizWriting } from './write_quizzes';

/** Documents that no quiz has settings for come first: banks, which quizzes refer to. */
async function documentsOf(work: MigrationWork, opened: OpenPackage): Promise<QtiDocument[]> {
  const paths = [...opened.entries.keys()];
  const found = opened.entries.has(manifestName)
    ? qtiDocumentsOf(readManifest(await textOf(work, opened, manifestName)), paths)
    : looseQtiDocuments(paths);
  if (found.length === 0) throw new Unimportable('the package contains no quizzes and no question banks');
  return [...found.filter(({ meta }) => meta === undefined), ...found.filter(({ meta }) => meta !== undefined)];
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
    const statements = new QuizWriting(db, it, await knownItems(db, it.context_id, content), now).write(content, packaged);
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
