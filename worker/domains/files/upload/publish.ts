// The last step of every upload by a client: makes the file visible, and answers with it or with the conflict.

import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { failedPrecondition } from '../../../http/conditional';
import { rows } from '../../../http/listing';
import { Problem, problem } from '../../../http/problem';
import { noteWrite } from '../../../http/replicas';
import { answer, type Reply } from '../../../http/reply';
import { planListing } from '../../../http/serializer';
import { uploadedFile, uploadedOnCondition } from '../json';
import { files, type Upload } from '../table';
import type { StoredBlob } from './blobs';
import { completion } from './complete';
import { sizeRefused } from './submission_limits';

/** A changed ticket is rejected with an empty body. */
export const refusedTicket = () => new Problem(400, '');
export const overLimit = (upload: Upload) => problem(400, sizeRefused(upload));

interface Waiting {
  readonly file: typeof files.$inferSelect;
  readonly upload: Upload;
}

/** Starts the content migration whose package the file is, once it is visible. */
function beginMigration({ db, env, now, afterwards }: Call, file_id: number): Statement[] {
  const its = sql`attachment_id = ${file_id}`;
  // If the message is lost, the scheduled run sends another.
  afterwards(async () => {
    const [[made]] = await db.aside.perform([
      db.aside.build.all<{ id: number }>(sql`select id from content_migrations where ${its} and workflow_state = 'exporting'`),
    ]);
    if (made) await env.WORK.send({ job: 'content_migration', ids: [made.id] });
  });
  return [
    db.build.run(
      sql`update content_migrations set workflow_state = 'exporting', updated_at = ${now} where ${its} and workflow_state = 'pre_processing'
        and exists (select 1 from files f where f.id = ${file_id} and f.workflow_state = 'available')`,
    ),
  ];
}

/**
 * Responds with 412, and the file under its conflict name, when the upload's precondition fails.
 * @param blob undefined when the file already has its bytes: a retry gets the first response again
 * @param also statements of the same batch, after the file is visible
 * @throws Problem 400 when its folder was deleted or other uploads used up the quota; the bytes are collected later
 */
export async function publishUpload(
  call: Call,
  { file, upload }: Waiting,
  blob: (StoredBlob & { readonly id: number }) | undefined,
  also: readonly Statement[] = [],
): Promise<Reply> {
  const { db, env, meter, now, origin } = call;
  const { condition } = upload;
  const migration = upload.migrates ? beginMigration(call, file.id) : [];
  const before = [...(blob ? completion(db, { ...file, ...upload }, blob, now) : []), ...migration, ...also];
  const tell = (where: SQL | undefined) =>
    planListing(
      condition ? uploadedOnCondition : uploadedFile,
      rows(files, { where: and(where, eq(files.workflow_state, 'available')), limit: 1 }),
      {
        ...call,
        include: new Set(upload.include),
      },
    );
  const plan = tell(eq(files.id, file.id));
  const there = condition && tell(and(eq(files.folder_id, file.folder_id), eq(files.display_name, condition.name), ne(files.id, file.id)));
  const heldNow = db.build.select({ held: sql<number | null>`json_extract(upload, '$.held')`.as('held') }).from(files);
  const [held, ...results] = (
    await db.perform([...before, heldNow.where(eq(files.id, file.id)), ...plan.statements, ...(there?.statements ?? [])])
  ).slice(before.length);
  // A ticket speaks for its user: the request that sends a form has no caller.
  await noteWrite({ isKnown: file.user_id !== null, real_user_id: file.user_id ?? 0 }, db.bookmark(), env, meter);
  const [result] = plan.tell(results.slice(0, plan.statements.length));
  const isAside = (held as { held: number | null }[])[0]?.held === 0;
  if (there && isAside && (result || upload.conflict_name === undefined)) {
    const [current] = there.tell(results.slice(plan.statements.length));
    return answer(failedPrecondition(current?.json, result?.json), 412);
  }
  if (!result) throw blob && (upload.quota ?? upload.budget) !== undefined ? overLimit(upload) : refusedTicket();
  const include = upload.include?.map((word) => `include%5B%5D=${encodeURIComponent(word)}`).join('&');
  return answer(result.json, 201, { Location: `${origin}/api/v1/files/${file.id}${include ? `?${include}` : ''}` });
}
