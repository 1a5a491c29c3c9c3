// Step 1 of an upload: its parameters and the quota check.

import type { Shape } from '@carrel/shared/wire/fields';
import { bool, idField, listOf, number, optional, text, word } from '@carrel/shared/wire/fields';
import { and, eq } from 'drizzle-orm';
import type { Call } from '../../../http/call';
import { type ConditionalCall, conditionOf } from '../../../http/conditional';
import { badParameter, found, problem, unauthorized } from '../../../http/problem';
import { folderLevels, heldBy, unfiled } from '../folders/paths';
import { folders } from '../folders/table';
import { type FileContext, thePlace } from '../place';
import { courseQuota, groupQuota, usedStorage, userQuota } from './quota';
import type { UploadRequest } from './ticket';

export const uploadParams = {
  name: optional(text),
  filename: optional(text),
  size: optional(number),
  /** The client sends the bytes in parts, so the file may be larger than a request. */
  in_parts: optional(bool),
  content_type: optional(text),
  parent_folder_id: optional(idField('folder')),
  parent_folder_path: optional(text),
  folder: optional(text),
  on_duplicate: optional(word),
  url: optional(text),
  category: optional(text),
  success_include: optional(listOf(text)),
  /** With `If-Match` or `If-None-Match`: the name to store the bytes under if the precondition fails by the time they arrive. */
  conflict_name: optional(text),
};

type Given = Shape<typeof uploadParams>;

/** @throws Problem 400 for an unknown value */
export function duplicateRule(given: string | undefined): 'overwrite' | 'rename' | undefined {
  if (given === undefined || given === '') return undefined;
  if (given !== 'overwrite' && given !== 'rename') throw problem(400, 'invalid on_duplicate option');
  return given;
}

/** The parameters that describe the file; the caller adds owner and folder. */
export function aboutFile(
  given: Given,
): Pick<UploadRequest, 'name' | 'size' | 'in_parts' | 'content_type' | 'on_duplicate' | 'category' | 'include' | 'url'> {
  const name = given.name || given.filename;
  if (!name) throw badParameter('name', 'is missing');
  return {
    name,
    size: given.size,
    in_parts: given.in_parts,
    content_type: given.content_type,
    on_duplicate: duplicateRule(given.on_duplicate),
    category: given.category,
    include: given.success_include,
    url: given.url || undefined,
  };
}

export const quotaOf = (place: FileContext, { course, group, institution }: Pick<Call, 'course' | 'group' | 'institution'>): number =>
  group && place.context_type === 'Group'
    ? groupQuota(group)
    : place.context_type === 'Course' && course
      ? courseQuota(course, institution)
      : userQuota(institution);

/**
 * A file for the context of the request.
 * @param folder_id the folder of the path, if any
 */
export async function uploadRequestHere(
  call: Pick<Call, 'db' | 'course' | 'user' | 'group' | 'me' | 'institution'> & ConditionalCall & { params: Given },
  folder_id?: number,
): Promise<UploadRequest> {
  const { db, params } = call;
  const place = thePlace(call);
  const file = aboutFile(params);
  const condition = conditionOf(call);
  const path = params.parent_folder_path || params.folder;
  if (params.parent_folder_id !== undefined && path) throw problem(400, 'Can not set parent folder ID and path');
  const parentId = folder_id ?? params.parent_folder_id;
  const [used, parents] = await db.perform([
    usedStorage(db, place),
    db.build
      .select({ id: folders.id, for_submissions: folders.for_submissions })
      .from(folders)
      .where(and(heldBy(place), eq(folders.id, parentId ?? 0))),
  ]);
  if (parentId !== undefined && found(parents[0]).for_submissions) throw unauthorized();
  const quota = quotaOf(place, call);
  if ((used[0]?.bytes ?? 0) + Math.max(0, params.size ?? 0) > quota) throw problem(400, 'file size exceeds quota');
  return {
    ...file,
    holder: place,
    folder: parentId !== undefined ? { id: parentId } : { path: path ? folderLevels(path, place) : unfiled },
    locked: place.wantsUsageRights,
    quota,
    condition,
    conflict_name: params.conflict_name || undefined,
  };
}
