// Folders: every endpoint, in the order of the API reference.

import { bool, idField, int, maybe, optional, text, time } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import type { Call } from '../../../http/call';
import { del, get, post, put } from '../../../http/endpoint';
import { ascending, collated, type Listing, rows } from '../../../http/listing';
import { found, unauthorized } from '../../../http/problem';
import { all, judged, list, made, one, type Reply, versioned } from '../../../http/reply';
import { file, fileIncludes } from '../json';
import { listParams } from '../listing';
import { type FileContext, here, hereIfSeen, thePlace } from '../place';
import { changeFolder, makeFolder, removeFolder } from './change';
import { contentsOf } from './contents';
import { copyFile } from './copy_file';
import { copyFolder } from './copy_folder';
import { folder } from './json';
import { type FolderLevel, folderAt, folderLevels, type Holder, heldBy, iconMaker, makePath, uploadedMedia } from './paths';
import { contextsOfFolder, listedFolders, shutFolders } from './policy';
import { folders } from './table';

export const about = { title: 'Folders', description: 'Folders of files.' };

const places = ['/courses/:course_id', '/users/:user_id', '/groups/:group_id'] as const;

const ofFolder = contextsOfFolder('id');
const sorting = { sort_by: optional(text) };
const restrictions = {
  lock_at: optional(maybe(time)),
  unlock_at: optional(maybe(time)),
  locked: optional(bool),
  hidden: optional(bool),
  position: optional(int),
};
const creatable = {
  name: optional(text),
  parent_folder_id: optional(idField('folder')),
  parent_folder_path: optional(text),
  ...restrictions,
};
const editable = { name: optional(text), parent_folder_id: optional(idField('folder')), ...restrictions };

type Here = Pick<Call, 'db' | 'course' | 'user' | 'group' | 'me' | 'now'>;

const orderBy = (sort_by: string | undefined): Listing['order'] =>
  sort_by === 'position'
    ? ascending(sql`coalesce(${folders.position}, 2147483647)`, collated(folders.name), folders.id)
    : ascending(collated(folders.name), folders.id);

const listedHere = (call: Here & { params: { sort_by?: string } }, place: FileContext) =>
  rows(folders, { where: listedFolders(place, call.now), order: orderBy(call.params.sort_by) });

/** The reply, unless the folder is locked for the caller. */
function unlessShut({ db, now, ...call }: Here, id: number, then: Reply): Reply {
  const place = thePlace(call);
  const shut = sql<number>`${id} in (${shutFolders(place, now)})`.as('shut');
  return place.seesAll
    ? then
    : judged(
        db.build.select({ shut }).from(sql`(select 1)`),
        ([state]) => {
          if (state?.shut) throw unauthorized();
        },
        then,
      );
}

/** A special folder, created on first use. */
const special = ({ db, now }: Pick<Call, 'db' | 'now'>, holder: Holder, levels: readonly FolderLevel[]) =>
  made(one(rows(folders, { where: sql`${folders.id} = (${folderAt(holder, levels)})` })), makePath(db, holder, levels, now));

/** Callers who may add files to the context use its folder; others use their own. */
const ownIfNeeded = (call: Here): Holder => {
  const place = thePlace(call);
  return place.adds ? place : { context_type: 'User', context_id: call.me.id };
};

const decoded = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The folders from the root to the one at the requested path. */
function chain(call: Here & { url: URL }): Reply {
  const { db, url, now } = call;
  const place = thePlace(call);
  const levels = folderLevels(decoded(url.pathname.split('/by_path')[1] ?? ''), place);
  const paths = levels.map((_, at) => levels.slice(0, at + 1));
  const ids = [[], ...paths].map((path) => folderAt(place, path));
  const target = folderAt(place, levels);
  const whole = judged(
    db.build
      .select({ id: folders.id })
      .from(folders)
      .where(and(listedFolders(place, now), sql`${folders.id} = (${target})`)),
    ([last]) => void found(last),
    all(
      rows(folders, {
        where: sql`${folders.id} in (${sql.join(
          ids.map((id) => sql`select * from (${id})`),
          sql` union all `,
        )})`,
        order: ascending(sql`length(${folders.full_name})`, folders.id),
      }),
    ),
  );
  return levels.length === 0 ? made(whole, makePath(db, place, [], now)) : whole;
}

const ofPlaces = places.flatMap((place) => [
  get(
    `${place}/folders`,
    { can: here('lists'), params: sorting, returns: [folder], summary: 'List all folders of a course, group or user' },
    (call) => made(list(listedHere(call, thePlace(call))), makePath(call.db, thePlace(call), [], call.now)),
  ),
  ...(['', '/:full_path+'] as const).map((rest) =>
    get(`${place}/folders/by_path${rest}`, { can: here('lists'), returns: [folder], summary: 'Resolve a path to its folders' }, chain),
  ),
  get(`${place}/folders/root`, { can: here('lists'), returns: folder, summary: 'Get the root folder' }, (call) =>
    special(call, thePlace(call), []),
  ),
  get(`${place}/folders/media`, { can: here('lists'), returns: folder, summary: 'Get the folder for uploaded media' }, (call) =>
    special(call, ownIfNeeded(call), uploadedMedia),
  ),
  get(`${place}/folders/icon_maker_folder`, { can: here('lists'), returns: folder, summary: 'Get the folder for icons' }, (call) =>
    special(call, ownIfNeeded(call), iconMaker),
  ),
  get(`${place}/folders/:id`, { can: here('lists'), returns: folder, summary: 'Get a folder of a course, group or user' }, (call) =>
    unlessShut(call, call.id, versioned(one(rows(folders, { where: and(heldBy(thePlace(call)), eq(folders.id, call.id)) })))),
  ),
  post(
    `${place}/folders`,
    {
      can: here('adds'),
      params: creatable,
      returns: folder,
      conditional: 'name',
      summary: "Create a folder in a course, group or user's files",
    },
    (call) => makeFolder(call),
  ),
]);

const ofFolders = [
  get(
    '/folders/:id/folders',
    { can: here('lists'), within: ofFolder, params: sorting, returns: [folder], summary: 'List folders of a folder' },
    (call) => {
      const listing = listedHere(call, thePlace(call));
      return unlessShut(call, call.id, list({ ...listing, where: and(eq(folders.parent_folder_id, call.id), listing.where) }));
    },
  ),
  get(
    '/folders/:id/all',
    {
      can: hereIfSeen('lists'),
      within: ofFolder,
      params: listParams,
      include: fileIncludes,
      returns: { json: null },
      per_page: 25,
      summary: 'List folders and files of a folder',
    },
    (call) => contentsOf(call),
  ),
  get('/folders/:id', { can: hereIfSeen('lists'), within: ofFolder, returns: folder, summary: 'Get a folder' }, (call) =>
    unlessShut(call, call.id, versioned(one(rows(folders, { where: and(heldBy(thePlace(call)), eq(folders.id, call.id)) })))),
  ),
  post(
    '/folders/:folder_id/folders',
    {
      can: here('adds'),
      within: contextsOfFolder('folder_id'),
      params: creatable,
      returns: folder,
      conditional: 'name',
      summary: 'Create a subfolder',
    },
    (call) => makeFolder(call, readId(call.path.folder_id)),
  ),
  put(
    '/folders/:id',
    { can: hereIfSeen('edits'), within: ofFolder, params: editable, returns: folder, conditional: 'item', summary: 'Update a folder' },
    changeFolder,
  ),
  del(
    '/folders/:id',
    {
      can: hereIfSeen('deletes'),
      within: ofFolder,
      params: { force: optional(bool) },
      returns: folder,
      conditional: 'item',
      summary: 'Delete a folder',
    },
    (call) => removeFolder(call, call.params.force ?? false),
  ),
  post(
    '/folders/:dest_folder_id/copy_file',
    {
      can: hereIfSeen('adds'),
      within: contextsOfFolder('dest_folder_id'),
      params: {
        source_file_id: optional(idField('file')),
        source_file: optional(idField('file')),
        on_duplicate: optional(text),
        name: optional(text),
      },
      returns: file,
      summary: 'Copy a file to a folder',
    },
    (call) => copyFile(call, readId(call.path.dest_folder_id) ?? 0),
  ),
  post(
    '/folders/:dest_folder_id/copy_folder',
    {
      can: hereIfSeen('adds'),
      within: contextsOfFolder('dest_folder_id'),
      params: { source_folder_id: optional(idField('folder')) },
      returns: folder,
      summary: 'Copy a folder to a folder',
    },
    (call) => copyFolder(call, readId(call.path.dest_folder_id) ?? 0),
  ),
];

export const folderRoutes = [...ofPlaces, ...ofFolders];
