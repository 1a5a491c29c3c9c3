// Step 1 of an upload: a pending file, and the signed ticket to send its bytes with (reference 01 A12).

import { wireTime } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import { randomText } from '../../../database/tokens';
import type { Call } from '../../../http/call';
import type { Condition } from '../../../http/conditional';
import { contentType } from '../content_types';
import { type FolderLevel, folderAt, type Holder, makePath } from '../folders/paths';
import { displayName, storedName } from '../names';
import { isSigned, sign } from '../signature';
import { files, type Upload } from '../table';
import { refusedTicket } from './publish';
import type { SubmissionLimits } from './submission_limits';

export interface UploadRequest {
  /** The owner of the file. */
  readonly holder: Holder;
  /** An existing folder, or a path whose missing folders are created. */
  readonly folder: { readonly id: number } | { readonly path: readonly FolderLevel[] };
  readonly name: string;
  /** As declared; what arrives is counted. */
  readonly size?: number;
  /** The bytes may come in parts (sync/uploads). */
  readonly in_parts?: boolean;
  readonly content_type?: string;
  /** Default `overwrite`; submitted files are always renamed. */
  readonly on_duplicate?: 'overwrite' | 'rename';
  readonly category?: string;
  /** Belongs to a submission. */
  readonly is_submitted?: boolean;
  /** That submission, and its upload limits. */
  readonly submission_id?: number;
  readonly limits?: SubmissionLimits;
  /** The submission whose comments it is uploaded for. */
  readonly comment_on?: number;
  /** It is the package of a content migration. */
  readonly migrates?: true;
  /** The most bytes that may arrive, where no quota counts them. */
  readonly most?: number;
  readonly locked?: boolean;
  /** The quota of the context. */
  readonly quota?: number;
  /** `include[]` for the final response. */
  readonly include?: readonly string[];
  /** The URL that the server fetches the bytes from. */
  readonly url?: string;
  /** With a URL: the submission to make of the file once it was fetched. */
  readonly submits?: SubmissionOfFile;
  /** The precondition on the file with that name in that folder, checked when the bytes have arrived. */
  readonly condition?: Condition;
  /** The name for the bytes if the precondition fails. */
  readonly conflict_name?: string;
}

/** What the job that submits a fetched file reads from its Progress, besides `uuid`. */
export interface SubmissionOfFile {
  readonly course_id: number;
  readonly assignment_id: number;
  readonly student_id: number;
}

interface Ticket {
  readonly uuid: string;
  readonly statements: readonly Statement[];
  readonly json: {
    readonly upload_url: string;
    readonly upload_params: Readonly<Record<string, string>>;
    readonly file_param: 'file';
    readonly parts_url?: string;
  };
}

type Around = Pick<Call, 'db' | 'env' | 'me' | 'now' | 'origin'>;

const minutes = 60_000;
const lifetime = 30 * minutes;

export const partsPath = '/api/sync/v1/uploads';

/** The signed parameters; anything else that a client sends is ignored. */
const signedNames = ['uuid', 'filename', 'content_type', 'expires_at'] as const;

/** The row of a pending file, and the folders above it. */
export function pendingFile({ db, me, now }: Pick<Around, 'db' | 'me' | 'now'>, asked: UploadRequest, uuid: string, upload: Upload | SQL) {
  const { holder, folder } = asked;
  const display_name = displayName(asked.name);
  const isKnown = 'id' in folder;
  return {
    folders: isKnown ? [] : makePath(db, holder, folder.path, now),
    file: db.build.insert(files).values({
      context_type: holder.context_type,
      context_id: holder.context_id,
      folder_id: isKnown ? folder.id : sql`(${folderAt(holder, folder.path)})`,
      uuid,
      display_name,
      filename: storedName(display_name),
      content_type: contentType(asked.content_type, display_name),
      user_id: me.id,
      category: asked.category || 'uncategorized',
      is_submitted: asked.is_submitted ?? false,
      submission_id: asked.submission_id,
      locked: asked.locked ?? false,
      upload: upload as Upload,
      created_at: now,
      updated_at: now,
    }),
  };
}

export const uploadOf = (
  { name, is_submitted, limits, most, comment_on, migrates, on_duplicate, quota, include, condition, conflict_name }: UploadRequest,
  now: string,
): Upload => ({
  on_duplicate: is_submitted ? 'rename' : (on_duplicate ?? 'overwrite'),
  expires_at: wireTime(Date.parse(now) + lifetime),
  quota: is_submitted ? undefined : quota,
  most,
  ...limits,
  include,
  comment_on,
  migrates,
  ...(condition && { condition: { ...condition, name: displayName(name) }, conflict_name }),
});

/** A ticket for one file. The caller checks quota and permissions, runs the statements, and returns the JSON. */
export async function ticket(call: Around, asked: UploadRequest): Promise<Ticket> {
  const uuid = randomText(40);
  const upload = uploadOf(asked, call.now);
  const { folders, file } = pendingFile(call, asked, uuid, upload);
  const display_name = displayName(asked.name);
  const signed = {
    uuid,
    filename: display_name,
    content_type: contentType(asked.content_type, display_name),
    expires_at: upload.expires_at,
  };
  return {
    uuid,
    statements: [...folders, file],
    json: {
      upload_url: `${call.origin}/files_api`,
      upload_params: { ...signed, signature: await sign(call.env.SIGNING_SECRET, signed) },
      file_param: 'file',
      ...(asked.in_parts && { parts_url: `${call.origin}${partsPath}` }),
    },
  };
}

/**
 * The uuid of the pending file, from signed parameters.
 * @throws Problem 400 for parameters that were changed
 */
export async function readTicket(
  { env, now }: Pick<Call, 'env' | 'now'>,
  sent: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly uuid: string; readonly isExpired: boolean }> {
  const signed = Object.fromEntries(signedNames.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])));
  if (!(await isSigned(env.SIGNING_SECRET, signed, sent.signature ?? '')) || !signed.uuid) throw refusedTicket();
  return { uuid: signed.uuid, isExpired: (signed.expires_at ?? '') <= now };
}
