// Checks what the request of a migration refers to: the source course, the target folder, module, group and bank, and the room for the package.

import { and, eq, sql } from 'drizzle-orm';
import { loadedCourseRows, loadedCourses } from '../../contexts/loaded_courses';
import { idOf } from '../../contexts/references';
import type { ResultOf } from '../../database/open';
import type { Call } from '../../http/call';
import { badParameter, notFound, problem, unauthorized } from '../../http/problem';
import { readsPackages } from '../../rules/course_packages';
import { isPublic } from '../../web/public_address';
import { assignment_groups } from '../assignment_groups/table';
import { courses } from '../courses/table';
import { folders } from '../files/folders/table';
import { fileContextOf } from '../files/place';
import { quotaOf } from '../files/upload/parameters';
import { usedStorage } from '../files/upload/quota';
import { modules } from '../modules/table';
import { question_banks } from '../question_banks/table';
import { type ExportFound, exportTypeFor, selectExport } from './exported_package';
import { courseCopyType, isCartridge, type MigratorFacts, qtiType, zipType } from './migrators';
import type { MigrationGiven } from './params';
import { contextOfMigrations, migrationHere } from './policy';
import { content_migrations, type MigrationSettings } from './table';

type Checking = Call & { readonly params: MigrationGiven };

export interface Checked {
  /** The stored migration of an update. */
  readonly before: typeof content_migrations.$inferSelect | undefined;
  readonly source_course_id: number | undefined;
  /** The quota of the context in bytes, and how many are left; absent for accounts. */
  readonly quota: number | undefined;
  readonly room: number | undefined;
  /** Whether new files stay locked until usage rights are set. */
  readonly locks_files: boolean;
  /** Whether the caller may add external tools to the context. */
  readonly adds_tools: boolean;
}

type Stored = typeof content_migrations.$inferSelect;

/** Whether the migration has begun, so that it can no longer be changed. */
export const isStarted = ({ workflow_state: state }: Pick<Stored, 'workflow_state'>): boolean =>
  state === 'exporting' || state === 'queued' || state === 'importing' || state === 'imported';

/** Whether the caller must be able to read a source course: the one of the request, or that of a migration that is to start. */
const needsSource = (before: Stored | undefined, reference: string | undefined): boolean =>
  reference !== undefined || (before !== undefined && before.source_course_id !== null && !isStarted(before));

const named = ['folder_id', 'insert_into_module_id', 'move_to_assignment_group_id', 'question_bank_id'] as const;

/** @throws Problem 400 naming the first setting that refers to nothing in the context */
function mustBeHere(
  settings: NonNullable<MigrationGiven['settings']>,
  here: Readonly<Record<(typeof named)[number], readonly unknown[]>>,
): void {
  const missing = named.find((name) => settings[name] !== undefined && here[name].length === 0);
  if (missing) throw problem(400, `settings[${missing}] was not found in this context`);
}

/**
 * @param id of the migration to update
 * @param known the migrator of a new migration
 * @throws Problem 400 for what is not in the context, 401 for a source course that the caller may not read as its staff, 404 for an unknown one
 */
export async function checkReferences(call: Checking, id: number | undefined): Promise<Checked> {
  const { db, params } = call;
  const { type, id: context_id } = contextOfMigrations(call);
  const settings = params.settings ?? {};
  const reference = settings.source_course_id;
  // A change reads the stored source again: who changes a migration may not be who started it.
  const before = sql`from content_migrations where ${migrationHere(call, id ?? 0)}`;
  const exportId =
    settings.content_export_id === undefined
      ? sql`(select settings ->> '$.content_export_id' ${before})`
      : sql`${settings.content_export_id}`;
  const exporting = sql`select x.context_id from content_exports x where x.context_type = 'Course' and x.id = ${exportId}`;
  const source =
    reference === undefined ? sql`select coalesce((select source_course_id ${before}), (${exporting}))` : idOf('course', reference);
  const course_id = type === 'Course' ? context_id : 0;
  const place = type === 'Account' ? undefined : fileContextOf(call);
  const [migrations, sources, standing, theFolders, theModules, groups, banks, used, exports] = await db.perform([
    db.build
      .select()
      .from(content_migrations)
      .where(migrationHere(call, id ?? 0)),
    db.build
      .select()
      .from(courses)
      .where(and(eq(courses.id, sql`(${source})`), sql`${courses.workflow_state} <> 'deleted'`)),
    loadedCourseRows(source, call),
    db.build
      .select({ id: folders.id })
      .from(folders)
      .where(
        sql`${folders.id} = ${settings.folder_id ?? 0} and ${folders.context_type} = ${type} and ${folders.context_id} = ${context_id} and ${folders.workflow_state} = 'visible' and ${folders.for_submissions} = 0`,
      ),
    db.build
      .select({ id: modules.id })
      .from(modules)
      .where(
        sql`${modules.id} = ${settings.insert_into_module_id ?? 0} and ${modules.course_id} = ${course_id} and ${modules.workflow_state} <> 'deleted'`,
      ),
    db.build
      .select({ id: assignment_groups.id })
      .from(assignment_groups)
      .where(
        sql`${assignment_groups.id} = ${settings.move_to_assignment_group_id ?? 0} and ${assignment_groups.course_id} = ${course_id} and ${assignment_groups.workflow_state} = 'available'`,
      ),
    db.build
      .select({ id: question_banks.id })
      .from(question_banks)
      .where(
        sql`${question_banks.id} = ${settings.question_bank_id ?? 0} and ${question_banks.context_type} = 'Course' and ${question_banks.context_id} = ${course_id} and ${question_banks.workflow_state} = 'active'`,
      ),
    usedStorage(db, { context_type: type, context_id }),
    selectExport(db, exportId, call.me.id),
  ]);
  const quota = place && quotaOf(place, call);
  if (id !== undefined && !migrations[0]) throw notFound();
  const found = { folder_id: theFolders, insert_into_module_id: theModules, move_to_assignment_group_id: groups, question_bank_id: banks };
  mustBeHere(settings, found);
  checkExport(call, migrations[0], exports[0], sources[0], standing);
  return {
    before: migrations[0],
    source_course_id: needsSource(migrations[0], reference) ? readableSource(call, sources[0], standing, context_id) : undefined,
    quota,
    room: quota === undefined ? undefined : Math.max(0, quota - (used[0]?.bytes ?? 0)),
    locks_files: place?.wantsUsageRights ?? false,
    adds_tools: call.course?.can('manage_lti_add') === true,
  };
}

function readableSource(call: Checking, source: typeof courses.$inferSelect | undefined, standing: unknown, target: number): number {
  if (!source) throw notFound();
  const { context } = loadedCourses(standing as ResultOf<ReturnType<typeof loadedCourseRows>>, call)(source);
  if (!context.canRead && !context.readsAsAdmin) throw notFound();
  if (!context.readsAsAdmin) throw unauthorized();
  if (context.id === target) throw problem(400, 'A course cannot be copied into itself');
  return context.id;
}

/**
 * The export whose archive is the package, of the request or of a migration that is to start: the caller must be able to make such an export, or have received it as a share.
 * @throws Problem 404 for an export that is unknown, unfinished or expired
 */
function checkExport(
  call: Checking & { readonly params: { readonly migration_type?: string } },
  before: Stored | undefined,
  found: ExportFound | undefined,
  source: typeof courses.$inferSelect | undefined,
  standing: unknown,
): void {
  const wanted = call.params.settings?.content_export_id ?? (before && !isStarted(before) ? before.settings.content_export_id : undefined);
  if (wanted === undefined) return;
  if (!found) throw notFound();
  const readsIt = (): boolean => {
    const isZip = found.export_type === 'zip';
    if (isZip && found.user_id !== call.me.id) return false;
    if (found.context_type !== 'Course') return isZip;
    if (!source) return false;
    const { context } = loadedCourses(standing as ResultOf<ReturnType<typeof loadedCourseRows>>, call)(source);
    return context.id === found.context_id && (isZip ? context.canRead : readsPackages(context));
  };
  if (found.is_received === 0 && !readsIt()) throw notFound();
  if (exportTypeFor(before?.migration_type ?? call.params.migration_type ?? '') !== found.export_type)
    throw badParameter('settings[content_export_id]', 'is an export of another type');
}

/** Whether the request sends or names a package. */
export const namesPackage = ({ pre_attachment: given, settings }: MigrationGiven): boolean =>
  Boolean(given?.name || given?.filename || given?.url || settings?.file_url || settings?.content_export_id !== undefined);

/** @throws Problem 400 for an address that is not public */
export function packageAddress({ pre_attachment, settings }: MigrationGiven): string | undefined {
  const given = settings?.file_url ?? pre_attachment?.url;
  if (!given) return undefined;
  const url = URL.parse(given.trim());
  if (!url || !isPublic(url) || url.href.length > 2000) throw problem(400, 'settings[file_url] is not a public web URL');
  return url.href;
}

/**
 * Refuses a migration that could not run.
 * @param stored settings with those of the request
 * @throws Problem 400 naming what is missing, 401 for files that the caller may not add
 */
export function checkComplete(
  call: Call,
  facts: MigratorFacts,
  stored: MigrationSettings,
  source: number | null,
  hasPackage: boolean,
): void {
  if (facts.requires_file_upload && !hasPackage)
    throw problem(400, 'pre_attachment[name], settings[file_url] or settings[content_export_id] is required');
  if (facts.type === courseCopyType && source === null) throw problem(400, 'settings[source_course_id] is required');
  // Packages of quizzes contain questions with their keys.
  if ((facts.type === qtiType || isCartridge(facts.type)) && !call.course?.can('manage_assignments_add')) throw unauthorized();
  if (facts.type !== zipType) return;
  if (stored.folder_id === undefined) throw problem(400, 'settings[folder_id] is required');
  if (!fileContextOf(call)?.adds) throw unauthorized();
}
