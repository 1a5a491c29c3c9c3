// Writes a book in steps: what the reader may see, its chapters and images some at a time, the table of contents, then the file.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import { type BookEntry, bookContainer, bookNavigation, bookPackage, bookPage, bookType } from '../../epub/book';
import { hasFormulas } from '../../epub/formulas';
import { bookMarkup } from '../../epub/xhtml';
import { withoutHost } from '../../html/addresses';
import { exportFailed, finishExport, keepCompanion } from '../content_exports/finish_export';
import { companionPieces, type EntryToWrite, fileEntry, storePiece, textEntry } from '../content_exports/pieces';
import { content_exports } from '../content_exports/table';
import { inSteps, type SteppedJob, unfinishedSteps } from '../progress/in_steps';
import { bookAddresses, fileOfAddress } from './addresses';
import { type ChapterText, filesInText, readChapters, soughtContent } from './chapters';
import {
  bookContents,
  bookModules,
  dueLine,
  filesContent,
  filesPath,
  moduleContent,
  modulePath,
  showsSyllabus,
  syllabusContent,
} from './contents';
import { drawingAt, isDrawing, usableImages, visibleFiles, visibleImages } from './images';
import { exportedAt } from './json';
import {
  type BookImage,
  type BookPlan,
  type ChapterKind,
  chapterPath,
  chaptersAtOnce,
  companionIds,
  emptyPlan,
  imagePath,
  imagesAtOnce,
  nextFiles,
  shownFiles,
  takenCompanions,
  takenMedia,
} from './plan';
import { type BookReader, type BookRun, bookReader } from './reader';
import { bookJob, bookTag } from './request';

type BookRow = typeof content_exports.$inferSelect;

/** A step of a book: what it adds to the archive, and the plan after it. */
interface Written {
  readonly plan: BookPlan;
  readonly entries?: readonly EntryToWrite[];
  /** Entries of the archive beside the book. */
  readonly beside?: readonly EntryToWrite[];
  readonly statements?: readonly Statement[];
}

/** What was planned is no longer there, or no longer visible to the reader. */
class CourseChanged extends Error {}

const mostBytes = 1_000_000_000;

const languageOf = ({ course }: BookReader): string =>
  /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(course.locale ?? '') ? (course.locale as string) : 'en';

async function look(reader: BookReader, plan: BookPlan): Promise<Written> {
  const portion = plan.sought[plan.looked];
  const found = portion ? await readChapters(reader, portion.of, portion.ids) : [];
  const chapters = found.map(({ text: _text, points: _points, ...chapter }: ChapterText) => chapter);
  return { plan: { ...plan, looked: plan.looked + 1, chapters: [...plan.chapters, ...chapters] } };
}

async function settle(reader: BookReader, plan: BookPlan): Promise<Written> {
  const found = await bookModules(reader, plan);
  const led = new Set(found.flatMap(({ lines }) => lines.flatMap((line) => ('chapter' in line ? [chapterPath(line.chapter)] : []))));
  const chapters = plan.chapters.filter((one) => !one.isUnlisted || led.has(chapterPath(one)));
  const addresses = found.flatMap(({ lines }) => lines.flatMap((line) => ('address' in line ? (line.address ?? []) : [])));
  const ofModules = addresses.flatMap((one) => (one.startsWith(`${reader.origin}/`) ? (fileOfAddress(new URL(one).pathname) ?? []) : []));
  const ofSyllabus = showsSyllabus(reader) ? filesInText(withoutHost(reader.course.syllabus_body ?? '', reader.origin)) : undefined;
  const files = [...ofModules, ...(ofSyllabus?.files ?? []), ...(ofSyllabus?.images ?? [])];
  return { plan: { ...plan, chapters, files, isSettled: true } };
}

async function checkImages(run: BookRun, reader: BookReader, plan: BookPlan): Promise<Written> {
  const ids = shownFiles(plan).slice(plan.checked, plan.checked + imagesAtOnce);
  const images = takenMedia(plan.images, await usableImages(run, reader, ids));
  return { plan: { ...plan, checked: plan.checked + ids.length, images } };
}

/** Chapters of one kind, as many as follow each other. */
function nextChapters({ chapters, written }: BookPlan): { readonly of: ChapterKind; readonly ids: number[] } | undefined {
  const first = chapters[written];
  if (!first) return undefined;
  const some = chapters.slice(written, written + chaptersAtOnce);
  const end = some.findIndex(({ of }) => of !== first.of);
  return { of: first.of, ids: (end < 0 ? some : some.slice(0, end)).map(({ id }) => id) };
}

async function writeChapters(reader: BookReader, plan: BookPlan): Promise<Written> {
  const next = nextChapters(plan);
  if (!next) return { plan };
  const found = await readChapters(reader, next.of, next.ids);
  if (found.length < next.ids.length) throw new CourseChanged();
  const to = bookAddresses(plan, reader.course.id, reader.origin);
  const language = languageOf(reader);
  return {
    plan: { ...plan, written: plan.written + found.length },
    entries: found.map((one) =>
      textEntry(`EPUB/${chapterPath(one)}`, bookPage(one.title, language, [...dueLine(one), ...bookMarkup(one.text, to)])),
    ),
  };
}

/** @throws CourseChanged for a drawing that can no longer be read */
async function mediaEntry(run: BookRun, image: BookImage): Promise<EntryToWrite> {
  const name = `EPUB/${imagePath(image)}`;
  if (!isDrawing(image.media_type)) return fileEntry(run, name, image.key);
  const drawing = await drawingAt(run, image.key, image.size);
  if (drawing === undefined) throw new CourseChanged();
  return textEntry(name, drawing);
}

async function storeImages(run: BookRun, reader: BookReader, plan: BookPlan): Promise<Written> {
  const some = nextFiles(plan.images, plan.stored);
  const there = await visibleImages(
    reader,
    some.map(({ id }) => id),
  );
  if (there.length < some.length) throw new CourseChanged();
  return {
    plan: { ...plan, stored: plan.stored + some.length },
    entries: await Promise.all(some.map((one) => mediaEntry(run, one))),
  };
}

async function checkCompanions(reader: BookReader, plan: BookPlan): Promise<Written> {
  const ids = companionIds(plan).slice(plan.companionsChecked, plan.companionsChecked + imagesAtOnce);
  const companions = takenCompanions(plan.companions, await visibleFiles(reader, ids));
  return { plan: { ...plan, companionsChecked: plan.companionsChecked + ids.length, companions } };
}

async function storeCompanions(run: BookRun, reader: BookReader, plan: BookPlan): Promise<Written> {
  const some = nextFiles(plan.companions, plan.companionsStored);
  const there = await visibleFiles(
    reader,
    some.map(({ id }) => id),
  );
  if (there.length < some.length) throw new CourseChanged();
  return {
    plan: { ...plan, companionsStored: plan.companionsStored + some.length },
    beside: some.map((one) => fileEntry(run, one.name, one.key)),
  };
}

const companionName = ({ name }: Pick<BookRow, 'name'>): string => `${name.replace(/\.epub$/, '')}-files.zip`;

const readingOrder = (entries: readonly BookEntry[]): string[] => [
  ...new Set(entries.flatMap(({ href, entries: below = [] }) => [href, ...readingOrder(below)])),
];

/** The parts that depend on all others. */
async function bind(reader: BookReader, it: BookRow, plan: BookPlan): Promise<Written> {
  const { course, origin, now } = reader;
  const language = languageOf(reader);
  const found = await bookModules(reader, plan);
  const contents = bookContents(plan, found);
  const order = readingOrder(contents);
  if (order.length !== plan.chapters.length + found.length + 1 + (plan.companions.length > 0 ? 1 : 0)) throw new CourseChanged();
  const to = bookAddresses(plan, course.id, origin);
  const about = {
    identifier: `urn:uuid:${uuidOf(it.file_uuid)}`,
    title: course.name.trim() || 'Untitled',
    language,
    modified: wireTime(Date.parse(now)),
  };
  const syllabus = syllabusContent(reader, plan, course.syllabus_body ?? '', to);
  const withFormulas = new Set([
    ...plan.chapters.filter((one) => one.hasFormulas).map(chapterPath),
    ...(hasFormulas(syllabus) ? ['syllabus.xhtml'] : []),
  ]);
  const parts = [
    ...order.map((href) => ({ href, media_type: 'application/xhtml+xml', isRead: true, hasFormulas: withFormulas.has(href) })),
    ...plan.images.map((one) => ({ href: imagePath(one), media_type: one.media_type, isRead: false })),
  ];
  return {
    plan: { ...plan, isBound: true },
    entries: [
      textEntry('EPUB/syllabus.xhtml', bookPage('Syllabus', language, syllabus)),
      ...found.map((one) => textEntry(`EPUB/${modulePath(one)}`, bookPage(one.name, language, moduleContent(one)))),
      ...(plan.companions.length > 0
        ? [textEntry(`EPUB/${filesPath}`, bookPage('Files', language, filesContent(reader, plan, companionName(it))))]
        : []),
      textEntry('EPUB/nav.xhtml', bookNavigation(about.title, language, contents)),
      textEntry('EPUB/package.opf', bookPackage(about, parts)),
    ],
  };
}

/** A UUID made of the random name of the export. */
function uuidOf(name: string): string {
  const hex = [...name].map((one) => (one.charCodeAt(0) % 16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const opening: readonly EntryToWrite[] = [
  { ...textEntry('mimetype', bookType), stored: new TextEncoder().encode(bookType) },
  textEntry('META-INF/container.xml', bookContainer()),
];

async function nextPart(run: BookRun, reader: BookReader, it: BookRow, plan: BookPlan | undefined): Promise<Written | undefined> {
  if (!plan) return { plan: { ...emptyPlan, sought: await soughtContent(reader) }, entries: opening };
  if (plan.looked < plan.sought.length) return look(reader, plan);
  if (!plan.isSettled) return settle(reader, plan);
  if (plan.checked < shownFiles(plan).length) return checkImages(run, reader, plan);
  if (plan.written < plan.chapters.length) return writeChapters(reader, plan);
  if (plan.stored < plan.images.length) return storeImages(run, reader, plan);
  if (plan.companionsChecked < companionIds(plan).length) return checkCompanions(reader, plan);
  if (plan.companionsStored < plan.companions.length) return storeCompanions(run, reader, plan);
  if (plan.companions.length > 0 && !plan.isCompanionKept)
    return { plan: { ...plan, isCompanionKept: true }, statements: await keepCompanion(run, it, companionName(it)) };
  return plan.isBound ? undefined : bind(reader, it, plan);
}

/** Of the plan: half for the look at the content, half for the writing. */
function completionOf(plan: BookPlan): number {
  if (plan.isBound) return 90;
  const share = (done: number, of: number) => (of === 0 ? 1 : done / of);
  const written = share(plan.written + plan.stored, plan.chapters.length + plan.images.length);
  return (exportedAt / 2) * (share(plan.looked, plan.sought.length) + (plan.isSettled ? written : 0));
}

/** A reader keeps one book of a course, so that repeated requests do not fill the storage. */
function forgetEarlierBooks({ build }: BookRun['db'], it: BookRow, now: string): Statement[] {
  const earlier = sql`from content_exports b where b.export_type = 'epub' and b.user_id = ${it.user_id} and b.context_id = ${it.context_id} and b.id < ${it.id} and b.is_expired = 0`;
  return [
    build.run(
      sql`update files set workflow_state = 'deleted', updated_at = ${now} where uuid in (select b.file_uuid ${earlier}) and workflow_state = 'available'`,
    ),
    build.run(
      sql`update files set workflow_state = 'deleted', updated_at = ${now} where uuid in (select b.companion_uuid ${earlier} and b.companion_uuid is not null) and workflow_state = 'available'`,
    ),
    build.run(sql`update content_exports set is_expired = 1 where id in (select b.id ${earlier})`),
  ];
}

interface Given {
  readonly plan?: BookPlan;
  readonly origin?: string;
}

const bookSteps: SteppedJob = {
  job: bookJob,
  tag: bookTag,
  async next(db, { id, context_id, after, arguments: given }, now, env, meter) {
    const run: BookRun = { db, env, meter, now };
    const [[it]] = await db.perform([db.build.select().from(content_exports).where(eq(content_exports.id, context_id))]);
    if (!it) return exportFailed(after + 1, 'The export was deleted.');
    const { plan: stored, origin = '' } = (given ?? {}) as Given;
    // The plan of a book that an earlier version began lacks the newer fields.
    const plan = stored && { ...emptyPlan, ...stored };
    const reader = await bookReader(run, { user_id: it.user_id, course_id: it.context_id, origin });
    if (!reader) return exportFailed(after + 1, 'The course can no longer be read.');
    try {
      const made = await nextPart(run, reader, it, plan);
      if (!made) {
        const end = await finishExport(run, it, { after, content_type: bookType });
        return { ...end, statements: [...end.statements, ...forgetEarlierBooks(db, it, run.now)] };
      }
      if (made.plan.images.reduce((sum, { size }) => sum + size, 0) > mostBytes)
        return exportFailed(after + 1, 'The images and recordings are larger than 1 GB.');
      const planned: Statement = db.build.run(
        sql`update progress set arguments = json_set(arguments, '$.plan', json(${JSON.stringify(made.plan)})) where id = ${id}`,
      );
      const piece = await storePiece(run, { export_id: it.id, at: after }, made.entries ?? [], []);
      const beside = await storePiece(run, { export_id: it.id, at: companionPieces + after }, made.beside ?? [], []);
      return {
        statements: [planned, ...piece, ...beside, ...(made.statements ?? [])],
        after: after + 1,
        completion: completionOf(made.plan),
      };
    } catch (error) {
      if (error instanceof CourseChanged) return exportFailed(after + 1, 'The course changed while the book was written. Start it again.');
      throw error;
    }
  },
};

export const writeBook = inSteps(bookSteps);
export const unfinishedBooks = unfinishedSteps(bookSteps);
