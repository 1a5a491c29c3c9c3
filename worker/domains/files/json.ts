// Files as clients see them: links, and whether they are locked for the caller.

import { File, SyncedFile } from '@carrel/shared/resources/file';
import type { Resource } from '@carrel/shared/resources/resource';
import { wordOf } from '@carrel/shared/wire/form';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { type RowOf, rows } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { statusJson, statusRows } from '../blueprint_templates/status';
import { lockFields } from '../modules/lock_fields';
import { isBound, moduleLockOf, moduleLocks } from '../modules/locks';
import { displayRows, userDisplay } from '../users/display';
import { isImage, mimeClass } from './content_types';
import { ancestry, chainOfFolder, lockOf, restrictions } from './folders/ancestry';
import { maskedVerifier } from './masked';
import { fileContextOf } from './place';
import { files } from './table';

export type FileRow = RowOf<typeof files>;

/** The live files with these ids: attachments, as other resources embed them. */
export const filesByIds = (ids: SQL) => rows(files, { where: and(isInSelect(files.id, ids), eq(files.workflow_state, 'available')) });

export const fileIncludes = ['user', 'usage_rights', 'enhanced_preview_url', 'context_asset_string', 'blueprint_course_status'] as const;

const saysNo = new Set(['false', '0', 'no', 'off']);
const uploadStatus = { available: 'success', deleted: 'success', pending: 'pending', failed: 'failed' } as const;

/** Whether the caller sees every file in the file's context. */
const seesAll = ({ context_type, context_id }: FileRow, call: Call): boolean => {
  if (context_type === 'User' && context_id === call.me.id) return true;
  const place = fileContextOf(call);
  return place?.context_type === context_type && place.context_id === context_id && place.seesAll;
};

export const downloadAddress = ({ id, uuid }: { id: number; uuid: string }, origin: string, withVerifier = true): string =>
  `${origin}/files/${id}/download?download_frd=1${withVerifier ? `&verifier=${uuid}` : ''}`;

/**
 * The addresses of a file of a submission. They work for everyone who sees the submission, so they always contain a verifier, and they do not name
 * the owner.
 * @param isMasked the owner is anonymous to the caller
 */
export function addressesOfWork(file: FileRow, { env, origin }: Pick<Call, 'env' | 'origin'>, isMasked: boolean) {
  const { id } = file;
  const uuid = isMasked ? maskedVerifier(env.SIGNING_SECRET, file) : file.uuid;
  return {
    uuid,
    url: downloadAddress({ id, uuid }, origin),
    preview_url: `/files/${id}/file_preview?annotate=0&verifier=${uuid}`,
    thumbnail_url: isImage(file.content_type) ? `${origin}/images/thumbnails/${id}/${uuid}` : null,
  };
}

/** With `only[]=names`. */
const wantsNamesOnly = ({ tree }: Pick<Call, 'tree'>) => [tree.only].flat().includes('names');

interface Telling {
  readonly columns?: () => Record<string, SQL.Aliased>;
  /** For the uploader, who is never locked out. */
  readonly isOwn?: boolean;
  /** The files belong to the request's context. */
  readonly isHere?: boolean;
}

function foldersAbove(call: Call, ids: SQL, isHere: boolean) {
  const place = isHere ? fileContextOf(call) : undefined;
  return place ? restrictions(call.db, place) : ancestry(call.db, sql`select folder_id from files where ${isInSelect(sql`id`, ids)}`);
}

const telling = <R extends Resource>(resource: R, { columns, isOwn = false, isHere = false }: Telling = {}) =>
  serializer({
    resource,
    table: files,
    columns,
    also: (ids, call) => ({
      modules: !isOwn && call.course && isBound(call.course) && !wantsNamesOnly(call) ? moduleLocks('File', ids, call) : undefined,
      folders: wantsNamesOnly(call) ? undefined : foldersAbove(call, ids, isHere),
      blueprint: call.include.has('blueprint_course_status') && call.course?.readsAsAdmin ? statusRows(call.db, 'file', ids) : undefined,
      people: call.include.has('user') ? displayRows(call.db, sql`select user_id from files where ${isInSelect(sql`id`, ids)}`) : undefined,
    }),
    json(file: FileRow, call, { folders: above, people, modules, blueprint }) {
      const { id, uuid, folder_id, display_name, filename } = file;
      const names = { id, uuid, folder_id, display_name, filename, upload_status: uploadStatus[file.workflow_state] };
      if (!above) return names;
      const { now, origin, tree, include } = call;
      const chain = chainOfFolder(above, folder_id);
      const isHidden = file.hidden || chain.some((folder) => folder.hidden);
      const isStaff = isOwn || seesAll(file, call);
      const lock = isStaff ? undefined : lockOf([file, ...chain], now);
      const module = isStaff || !modules ? undefined : moduleLockOf(modules, 'File', id, now);
      const locked = lockFields({ asset_string: `attachment_${id}`, ...lock, module }, now);
      const context = `${file.context_type.toLowerCase()}s/${file.context_id}`;
      const verifier = `verifier=${uuid}`;
      return {
        ...file,
        ...names,
        'content-type': file.content_type,
        url: locked.locked_for_user ? '' : downloadAddress(file, origin, !saysNo.has(wordOf(tree.use_verifiers).toLowerCase())),
        modified_at: file.modified_at ?? file.updated_at,
        hidden: isHidden,
        hidden_for_user: isHidden && !isStaff,
        thumbnail_url: !isImage(file.content_type) ? null : locked.locked_for_user ? '' : `${origin}/images/thumbnails/${id}/${uuid}`,
        mime_class: mimeClass(file.content_type),
        media_entry_id: null,
        ...locked,
        visibility_level: when(file.context_type === 'Course', file.visibility_level),
        user:
          people &&
          userDisplay(
            people.find((person) => person.id === file.user_id),
            origin,
          ),
        usage_rights: when(include.has('usage_rights'), file.usage_rights),
        preview_url: when(include.has('enhanced_preview_url'), `/${context}/files/${id}/file_preview?annotate=0&${verifier}`),
        context_asset_string: when(include.has('context_asset_string'), `${file.context_type.toLowerCase()}_${file.context_id}`),
        ...statusJson(blueprint, id, call.course),
      };
    },
  });

export const file = telling(File);

/** A file in a list of the request's context. */
export const fileHere = telling(File, { isHere: true });

/** A file in the response to its upload. */
export const uploadedFile = telling(File, { isOwn: true });

const withHash = () => ({ sha256: sql<string>`(select sha256 from blobs where blobs.id = ${files.blob_id})`.as('sha256') });

/** For the sync feed: with the SHA-256 of the bytes. */
export const syncedFile = telling(SyncedFile, { isHere: true, columns: withHash });

/** A file in the response to its conditional upload: with the SHA-256 of the bytes. */
export const uploadedOnCondition = telling(SyncedFile, { isOwn: true, columns: withHash });
