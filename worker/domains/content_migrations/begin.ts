// Creates and updates migrations: decides their next state, announces uploads, and queues the work.

import { eq, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { found, problem } from '../../http/problem';
import { one, type Reply, write } from '../../http/reply';
import { settingsLeftAlone } from '../course_copy/kept_settings';
import { ticket } from '../files/upload/ticket';
import { queueProgress } from '../progress/progress';
import { type Checked, checkComplete, checkReferences, isStarted, namesPackage, packageAddress } from './check';
import type { ContentMigrationRow } from './json';
import { courseCopyType, type MigratorFacts, migratorOf } from './migrators';
import { packageFolder } from './package/folder';
import { dateOptionsOf, type MigrationGiven, migrationSettingsOf, selectionGiven } from './params';
import { contextOfMigrations } from './policy';
import { content_migrations, type MigrationSettings, type Selection } from './table';

type Starting = Call & { readonly params: MigrationGiven };
type State = (typeof content_migrations.$inferSelect)['workflow_state'];

interface Deciding {
  readonly facts: MigratorFacts;
  readonly do_not_run: boolean;
  /** An upload was announced, and fits. */
  readonly isUploading: boolean;
  readonly isTooLarge: boolean;
  readonly selective: boolean;
  readonly selection: Selection | null;
  /** Whether its package was read; until then nothing can be selected. */
  readonly is_staged: boolean;
}

/** The state of a migration that has not started. Pure. */
export function nextState({ facts, do_not_run, isUploading, isTooLarge, selective, selection, is_staged }: Deciding): State {
  if (isTooLarge) return 'pre_process_error';
  if (do_not_run) return 'created';
  if (isUploading) return 'pre_processing';
  const canSelect = facts.isSelective && (is_staged || !facts.requires_file_upload);
  return selective && canSelect && selection === null ? 'exported' : 'exporting';
}

/** Whether there is work to wait for. */
const hasProgress = (state: State): boolean => state !== 'exported';

/** A Progress for a migration, which is read back by its uuid. */
const addProgress = ({ db, me, now }: Call, uuid: string): Statement[] => [
  queueProgress(
    db,
    {
      context_type: 'ContentMigration',
      context_id: sql`(select id from content_migrations where uuid = ${uuid})`,
      user_id: me.id,
      tag: 'content_migration',
    },
    now,
  ),
  db.build.run(sql`update content_migrations set progress_id = last_insert_rowid() where uuid = ${uuid}`),
];

interface Upload {
  readonly statements: readonly Statement[];
  readonly json: object | undefined;
  readonly isAnnounced: boolean;
  readonly isTooLarge: boolean;
}

const none: Upload = { statements: [], json: undefined, isAnnounced: false, isTooLarge: false };

/** The ticket for the package, or the reason why it is refused. */
async function announce(call: Starting, uuid: string, { room }: Checked): Promise<Upload> {
  const given = call.params.pre_attachment;
  const name = given?.name || given?.filename;
  if (!given || !name || given.url) return none;
  if (room !== undefined && Math.max(0, given.size ?? 0) > room)
    return { ...none, json: { message: 'file size exceeds quota' }, isAnnounced: true, isTooLarge: true };
  const { holder, levels } = packageFolder(uuid);
  const made = await ticket(call, {
    holder,
    folder: { path: levels },
    name,
    size: given.size,
    in_parts: given.in_parts,
    content_type: given.content_type,
    on_duplicate: 'rename',
    migrates: true,
    most: room,
  });
  const attached = sql`(select id from files where uuid = ${made.uuid})`;
  return {
    ...none,
    statements: [
      ...made.statements,
      call.db.build.run(sql`update content_migrations set attachment_id = ${attached} where uuid = ${uuid}`),
    ],
    json: made.json,
    isAnnounced: true,
  };
}

/** Sends the message of the job. If it is lost, the scheduled run sends another. */
function sendLater(call: Call, uuid: string): void {
  const { db, env } = call;
  call.afterwards(async () => {
    const [[made]] = await db.aside.perform([
      db.aside.build.all<{ id: number }>(sql`select id from content_migrations where uuid = ${uuid}`),
    ]);
    if (made) await env.WORK.send({ job: 'content_migration', ids: [made.id] });
  });
}

/** @throws Problem 400 for an unknown type, and for what is missing or not in the context */
export async function createMigration(call: Starting & { readonly params: { readonly migration_type?: string } }): Promise<Reply> {
  const { db, me, now, params, institution } = call;
  const context = contextOfMigrations(call);
  const facts = migratorOf(params.migration_type ?? '', context.type);
  if (!facts) throw problem(400, 'Invalid migration_type');
  const checked = await checkReferences(call, undefined);
  const uuid = randomText(40);
  const file_url = facts.requires_file_upload ? packageAddress(params) : undefined;
  const settings = {
    ...migrationSettingsOf(params, {}),
    ...(file_url && { file_url }),
    ...(checked.locks_files && { locks_files: true }),
    adds_tools: checked.adds_tools,
    quota: checked.quota,
    kept: settingsLeftAlone(call.course),
  };
  const source_course_id = facts.type === courseCopyType ? (checked.source_course_id ?? null) : null;
  checkComplete(call, facts, settings, source_course_id, namesPackage(params));
  const upload = facts.requires_file_upload ? await announce(call, uuid, checked) : none;
  const selective = params.selective_import === true && facts.isSelective;
  // An analysis waits for its own selection.
  const selection = selective ? null : (selectionGiven(params) ?? null);
  const workflow_state = nextState({
    facts,
    do_not_run: params.do_not_run === true,
    isUploading: upload.isAnnounced,
    isTooLarge: upload.isTooLarge,
    selective,
    selection,
    is_staged: false,
  });
  if (workflow_state === 'exporting') sendLater(call, uuid);
  return write(
    [
      db.build.insert(content_migrations).values({
        uuid,
        context_type: context.type,
        context_id: context.id,
        user_id: me.id,
        migration_type: facts.type,
        source_course_id,
        settings,
        dates: dateOptionsOf(params, { zone: institution.root.default_time_zone }),
        selection,
        selective,
        workflow_state,
        created_at: now,
        updated_at: now,
      }),
      ...(hasProgress(workflow_state) ? addProgress(call, uuid) : []),
      ...upload.statements,
    ],
    one(rows(content_migrations, { where: eq(content_migrations.uuid, uuid) }), upload.json && { pre_attachment: upload.json }),
  );
}

/** Whether the package of a migration has not arrived, and its change brings none. */
const lacksPackage = (
  { attachment_id, workflow_state }: ContentMigrationRow,
  facts: MigratorFacts,
  settings: MigrationSettings,
  upload: Upload,
): boolean =>
  facts.requires_file_upload &&
  !upload.isAnnounced &&
  settings.file_url === undefined &&
  settings.content_export_id === undefined &&
  (attachment_id === null || workflow_state === 'pre_processing' || workflow_state === 'pre_process_error');

/** Whether a change names another package than the one that has arrived. */
const namesAnother = ({ settings }: MigrationGiven, file_url: string | undefined): boolean =>
  file_url !== undefined || settings?.content_export_id !== undefined;

/** Whether what was read of the package still counts: not when a change brings another one, or reading has failed. */
const keepsStaging = ({ workflow_state }: ContentMigrationRow, upload: Upload, isAnother: boolean): boolean =>
  !upload.isAnnounced && !isAnother && workflow_state !== 'failed';

const stagingAfter = (keeps: boolean) => (keeps ? sql`` : sql`, staging_course_id = null, is_staged = 0`);

/** Whether a change needs another Progress, because the first one is missing or has ended. */
const needsProgress = ({ progress_id, workflow_state }: ContentMigrationRow): boolean =>
  progress_id === null || workflow_state === 'failed' || workflow_state === 'pre_process_error';

/** @throws Problem 400 for a change of a migration that has started */
export async function changeMigration(call: Starting & { readonly id: number }): Promise<Reply> {
  const { db, id, now, params } = call;
  const checked = await checkReferences(call, id);
  const before = found(checked.before);
  const then = one(rows(content_migrations, { where: eq(content_migrations.id, id) }));
  const given = selectionGiven(params);
  if (isStarted(before)) {
    if (given !== undefined || namesPackage(params)) throw problem(400, 'The migration has already started');
    return then;
  }
  const facts = migratorOf(before.migration_type, before.context_type);
  if (!facts) throw problem(400, 'Invalid migration_type');
  const file_url = facts.requires_file_upload ? packageAddress(params) : undefined;
  const settings = { ...migrationSettingsOf(params, before.settings), ...(file_url && { file_url }), kept: settingsLeftAlone(call.course) };
  const source = facts.type === courseCopyType ? (checked.source_course_id ?? before.source_course_id) : null;
  checkComplete(
    call,
    facts,
    settings,
    source,
    namesPackage(params) || settings.file_url !== undefined || settings.content_export_id !== undefined || before.attachment_id !== null,
  );
  const upload = facts.requires_file_upload ? await announce(call, before.uuid, checked) : none;
  const selection = given ?? before.selection;
  const isAnother = namesAnother(params, file_url);
  const keeps = keepsStaging(before, upload, isAnother);
  const workflow_state = lacksPackage(before, facts, settings, upload)
    ? before.workflow_state
    : nextState({
        facts,
        do_not_run: params.do_not_run === true,
        isUploading: upload.isAnnounced,
        isTooLarge: upload.isTooLarge,
        selective: before.selective,
        selection,
        is_staged: before.is_staged && keeps,
      });
  if (workflow_state === 'exporting') sendLater(call, before.uuid);
  return write(
    [
      db.build.run(sql`update content_migrations set workflow_state = case when step = ${before.step} and workflow_state = ${before.workflow_state} then ${workflow_state} end,
        settings = ${JSON.stringify(settings)}, dates = ${JSON.stringify(dateOptionsOf(params, { ...before.dates, resolved: undefined }))},
        selection = ${selection === null ? null : JSON.stringify(selection)}, source_course_id = ${source}, phase = 'fetch', at = 0, step = step + 1, crashes = 0,
        copy_id = null, finished_at = null, updated_at = ${now} ${stagingAfter(keeps)}${isAnother ? sql`, attachment_id = null` : sql``} where id = ${id}`),
      ...(needsProgress(before) && hasProgress(workflow_state) ? addProgress(call, before.uuid) : []),
      ...upload.statements,
    ],
    { ...then, ...(upload.json && { beside: { pre_attachment: upload.json } }) },
    { 'content_migrations.workflow_state': () => problem(409, 'The migration has changed meanwhile') },
  );
}
