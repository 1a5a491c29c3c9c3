// Starts an export: checks what is selected, and queues the job.

import { bool, idField, idsWithin, listOf, maybe, object, optional, text } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { badParameter, problem, unauthorized } from '../../http/problem';
import { one, type Reply, write } from '../../http/reply';
import { readsPackages } from '../../rules/course_packages';
import { importSelectionOf } from '../content_migrations/copying/selection';
import { listedFolders } from '../files/folders/policy';
import { folders } from '../files/folders/table';
import { type FileContext, thePlace } from '../files/place';
import { keptIn, listedFiles } from '../files/policy';
import { files } from '../files/table';
import { isBound, moduleLockOf, moduleLocks } from '../modules/locks';
import { visibleQuizzes } from '../quizzes/policy';
import { quizzes } from '../quizzes/table';
import { queueExport } from './queue';
import { archiveName, type ExportType, type SelectionGiven, selectionOf } from './selection';
import { content_exports, type ExportSelection } from './table';

const ids = (kind: 'file' | 'folder' | 'quiz') => optional(maybe(listOf(idField(kind))));
/** What only cartridges select: lists of ids, or trees as in `copy` of content migrations. */
const anyOf = optional(idsWithin('content'));
const cartridgeTypes = {
  modules: anyOf,
  context_modules: anyOf,
  module_items: anyOf,
  content_tags: anyOf,
  pages: anyOf,
  wiki_pages: anyOf,
  external_tools: anyOf,
  context_external_tools: anyOf,
  assignments: anyOf,
  assignment_groups: anyOf,
  assessment_question_banks: anyOf,
  discussion_topics: anyOf,
  announcements: anyOf,
  calendar_events: anyOf,
  rubrics: anyOf,
  learning_outcomes: anyOf,
  learning_outcome_groups: anyOf,
} as const;
/** Whole types. */
const wholeTypes = {
  everything: optional(maybe(bool)),
  all_course_settings: optional(maybe(bool)),
  all_syllabus_body: optional(maybe(bool)),
  all_context_modules: optional(maybe(bool)),
  all_assignments: optional(maybe(bool)),
  all_quizzes: optional(maybe(bool)),
  all_assessment_question_banks: optional(maybe(bool)),
  all_discussion_topics: optional(maybe(bool)),
  all_wiki_pages: optional(maybe(bool)),
  all_context_external_tools: optional(maybe(bool)),
  all_announcements: optional(maybe(bool)),
  all_calendar_events: optional(maybe(bool)),
  all_rubrics: optional(maybe(bool)),
  all_learning_outcomes: optional(maybe(bool)),
  all_attachments: optional(maybe(bool)),
} as const;

export const exportParams = {
  export_type: optional(maybe(text)),
  skip_notifications: optional(maybe(bool)),
  version: optional(maybe(text)),
  select: optional(
    maybe(
      object({
        files: ids('file'),
        attachments: ids('file'),
        folders: ids('folder'),
        quizzes: ids('quiz'),
        ...cartridgeTypes,
        ...wholeTypes,
      }),
    ),
  ),
};

type Params = {
  readonly export_type?: string | null;
  readonly version?: string | null;
  readonly select?: (Readonly<Partial<Record<keyof SelectionGiven, readonly number[] | null>>> & Readonly<Record<string, unknown>>) | null;
};
type Creating = Call & { readonly params: Params };

/** @throws Problem 400 for a type that is unknown, not served or not for this context; 401 without the permission */
function typeOf({ course, params }: Creating, place: FileContext): ExportType {
  const { export_type: type } = params;
  if (type === 'zip') {
    if (!place.lists) throw unauthorized();
    return type;
  }
  if ((type === 'qti' || type === 'common_cartridge') && course) {
    if (!readsPackages(course)) throw unauthorized();
    return type;
  }
  if (type === 'common_cartridge' || type === 'quizzes2' || type === 'qti') {
    const reason = type === 'quizzes2' ? 'is not supported' : `exports ${type === 'qti' ? 'the quizzes of courses' : 'courses'}`;
    throw problem(400, `export_type ${type} ${reason}`);
  }
  throw problem(400, course ? 'export_type must be common_cartridge, qti or zip' : 'export_type must be zip');
}

const missingFrom = (chosen: readonly number[] | undefined, found: readonly { readonly id: number }[]): boolean =>
  (chosen ?? []).some((id) => !found.some((one) => one.id === id));

/** Content of other courses is not found when the plan of the cartridge is made. */
const cartridgeSelection = (given: Params['select'], version: string | null | undefined): ExportSelection => {
  const content = given ? importSelectionOf(given) : undefined;
  const isAll = !content || (content.whole?.length === 0 && Object.keys(content.items ?? {}).length === 0);
  return { ...(isAll ? {} : { content }), ...(version?.startsWith('1.3') ? { version: '1.3.0' } : {}) };
};

/** What the caller selects must be there, and visible to them. */
async function checked(call: Creating, place: FileContext, selection: ExportSelection) {
  const { db, me, course, now } = call;
  const none = sql`1 = 0`;
  const inModules = sql`select content_id from module_items where course_id = ${course?.id ?? 0} and type = 'File' and workflow_state = 'active'`;
  const bound = course && isBound(course) ? course : undefined;
  const [fileRows, folderRows, quizRows, moduleFiles, locks] = await db.perform([
    db.build
      .select({ id: files.id })
      .from(files)
      .where(
        sql`${among(files.id, selection.files ?? [])} and ${keptIn(place)} ${listedFiles(place, now) ? sql`and ${listedFiles(place, now)}` : sql``}`,
      ),
    db.build
      .select({ id: folders.id, name: folders.name })
      .from(folders)
      .where(
        sql`${among(folders.id, selection.folders ?? [])} and ${folders.context_type} = ${place.context_type} and ${folders.context_id} = ${place.context_id} and ${listedFolders(place, now)}`,
      ),
    db.build
      .select({ id: quizzes.id })
      .from(quizzes)
      .where(sql`${among(quizzes.id, selection.quizzes ?? [])} and ${course ? visibleQuizzes(course, call) : none}`),
    db.build.all<{ id: number }>(sql`select distinct content_id as id from (${inModules}) limit ${bound ? sql`1000000` : sql`0`}`),
    moduleLocks('File', inModules, { db, me, course: bound }),
  ]);
  if (missingFrom(selection.files, fileRows)) throw badParameter('select[files]', 'names a file that does not exist here');
  if (missingFrom(selection.folders, folderRows)) throw badParameter('select[folders]', 'names a folder that does not exist here');
  if (missingFrom(selection.quizzes, quizRows)) throw badParameter('select[quizzes]', 'names a quiz that does not exist here');
  const withheld = moduleFiles.flatMap(({ id }) => (moduleLockOf(locks, 'File', id, now) ? [id] : []));
  return { withheld, folder: folderRows.length === 1 && (selection.files ?? []).length === 0 ? folderRows[0]?.name : undefined };
}

const nameOf = ({ course, group, user }: Call): string => course?.name ?? group?.name ?? user?.name ?? '';

export async function createExport(call: Creating): Promise<Reply> {
  const { db, me, now, params } = call;
  const place = thePlace(call);
  const type = typeOf(call, place);
  const given = params.select ?? undefined;
  const listed = (name: keyof SelectionGiven) => given?.[name] ?? undefined;
  const named = { files: listed('files'), attachments: listed('attachments'), folders: listed('folders'), quizzes: listed('quizzes') };
  const { withheld, folder } = await checked(call, place, selectionOf(type === 'common_cartridge' ? 'all' : type, named));
  const selection = type === 'common_cartridge' ? cartridgeSelection(given, params.version) : selectionOf(type, named);
  const uuid = randomText(40);
  const statements: Statement[] = [
    db.build.insert(content_exports).values({
      context_type: place.context_type,
      context_id: place.context_id,
      user_id: me.id,
      export_type: type,
      selection,
      sees_all: place.seesAll,
      withheld_file_ids: withheld,
      name: archiveName(type, folder ?? nameOf(call)),
      file_uuid: uuid,
      created_at: now,
      updated_at: now,
    }),
    queueExport(call, uuid),
  ];
  return write(statements, one(rows(content_exports, { where: eq(content_exports.file_uuid, uuid) })));
}
