// Files: every endpoint, in the order of the API reference; then the download URLs.

import { bool, optional, text, wireTime } from '@carrel/shared/wire/fields';
import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { absolute, del, get, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, notFound, Problem, unauthorized } from '../../http/problem';
import { answer, judged, list, one, oneOr, versioned, write } from '../../http/reply';
import { blankFile, changeFile, fileFields, mayBecomeOthers, removeFile } from './change';
import { addressFor, downloadable, serveFile } from './download/bytes';
import { contextsOfFolder, shutFolders } from './folders/policy';
import { iconMetadata } from './icon_metadata';
import { file, fileHere, fileIncludes, uploadedFile } from './json';
import { fileFilter, fileListing, listParams } from './listing';
import { here, hereIfSeen, thePlace } from './place';
import { atPath, currentFileId, isAnonymousWork, keptIn, listedFiles, ofFile, openToMany } from './policy';
import { sign } from './signature';
import { files } from './table';
import { quotaOf, uploadParams, uploadRequestHere } from './upload/parameters';
import { usedStorage } from './upload/quota';
import { receive } from './upload/receive';
import { startUpload, uploadState, uploadTicket } from './upload/start';

export const about = { title: 'Files', description: 'Files of courses, groups and users: upload, download, move and usage rights.' };

const places = ['/courses/:course_id', '/users/:user_id', '/groups/:group_id'] as const;

const mayKnowWhose = ({ id }: Call['me']): SQL => sql`(files.user_id = ${id} or not ${isAnonymousWork})`;

const present = (id: number) => and(eq(files.id, id), eq(files.workflow_state, 'available')) as SQL;

/** The file, for callers who may read it in its context or through a share. */
const shown = (call: Call & { id: number }, otherwise: () => Problem, id: number | SQL = call.id) => {
  const place = thePlace(call);
  const where = and(keptIn(place), eq(files.id, id));
  return versioned(place.reads ? one(rows(files, { where })) : oneOr(rows(files, { where: and(where, openToMany(call.me)) }), otherwise));
};

const listHere = (
  call: Pick<Call, 'course' | 'user' | 'group' | 'me' | 'now'> & { params: Parameters<typeof fileFilter>[0] },
  also?: SQL,
) => {
  const place = thePlace(call);
  return fileListing(and(also, keptIn(place), listedFiles(place, call.now), fileFilter(call.params)), call.params);
};

const ofPlaces = places.flatMap((place) => [
  get(
    `${place}/files`,
    {
      can: here('lists'),
      params: listParams,
      include: fileIncludes,
      returns: [fileHere],
      summary: 'List the files of a course, group or user',
    },
    (call) => list(listHere(call)),
  ),
  get(`${place}/files/quota`, { can: here('adds'), returns: { json: null }, summary: 'Get quota information' }, async (call) => {
    const place = thePlace(call);
    const [[used]] = await call.db.perform([usedStorage(call.db, place)]);
    return answer({ quota: quotaOf(place, call), quota_used: used?.bytes ?? 0 });
  }),
  get(
    `${place}/files/:id`,
    { can: 'user', include: fileIncludes, returns: file, summary: 'Get a file of a course, group or user' },
    (call) => shown(call, unauthorized, currentFileId(call.id)),
  ),
  ...(place === '/courses/:course_id'
    ? [
        get(
          `${place}/files/file_ref/:migration_id`,
          { can: here('reads'), include: fileIncludes, returns: file, summary: 'Get a file by migration id' },
          (call) =>
            one(
              rows(files, {
                where: and(
                  keptIn(thePlace(call)),
                  sql`${files.id} = (select l.item_id from copied_items l where l.course_id = ${call.course?.id ?? 0} and l.kind = 'file' and l.migration_id = ${call.path.migration_id ?? ''})`,
                ),
              }),
            ),
        ),
      ]
    : []),
  post(
    `${place}/files`,
    { can: here('adds'), params: uploadParams, returns: uploadTicket, conditional: 'upload', summary: 'Upload a file' },
    async (call) => startUpload(call, await uploadRequestHere(call)),
  ),
]);

const ofFiles = [
  get(
    '/folders/:id/files',
    {
      can: here('lists'),
      within: contextsOfFolder('id'),
      params: listParams,
      include: fileIncludes,
      returns: [fileHere],
      summary: 'List the files of a folder',
    },
    (call) => {
      const place = thePlace(call);
      const { db, id, now } = call;
      const shut = sql<number>`${id} in (${shutFolders(place, now)})`.as('shut');
      return judged(
        db.build.select({ shut }).from(sql`(select 1)`),
        ([found]) => {
          if (found?.shut && !place.seesAll) throw unauthorized();
        },
        list(listHere(call, eq(files.folder_id, id))),
      );
    },
  ),
  post(
    '/folders/:folder_id/files',
    {
      can: hereIfSeen('adds'),
      within: contextsOfFolder('folder_id'),
      params: uploadParams,
      returns: uploadTicket,
      conditional: 'upload',
      summary: 'Upload a file to a folder',
    },
    async (call) => startUpload(call, await uploadRequestHere(call, readId(call.path.folder_id) ?? 0)),
  ),
  ...[get, post].map((method) =>
    method(
      '/files/:id',
      {
        can: 'user',
        within: ofFile,
        params: { replacement_chain_context_type: optional(text), replacement_chain_context_id: optional(text) },
        include: fileIncludes,
        returns: file,
        summary: 'Get a file',
      },
      // With `replacement_chain_context_*`, a replaced file resolves to its replacement.
      (call) => shown(call, notFound, call.params.replacement_chain_context_type ? currentFileId(call.id) : call.id),
    ),
  ),
  put(
    '/files/:id',
    { can: here('edits'), within: ofFile, params: fileFields, returns: file, conditional: 'item', summary: 'Update a file' },
    changeFile,
  ),
  del(
    '/files/:id',
    {
      can: here('deletes'),
      within: ofFile,
      params: { replace: optional(bool) },
      returns: file,
      conditional: 'item',
      summary: 'Delete a file',
    },
    (call) => (call.params.replace ? blankFile(call) : removeFile(call)),
  ),
  get(
    '/files/:id/public_url',
    { can: here('reads'), within: ofFile, returns: { json: null }, summary: 'Get a temporary public URL of a file' },
    async (call) => {
      const { env, id, now, origin } = call;
      await downloadable(call, present(id));
      const expires_at = wireTime(Date.parse(now) + 3_600_000);
      const signature = await sign(env.SIGNING_SECRET, addressFor(id, expires_at));
      return answer({ public_url: `${origin}/files/${id}/download?${new URLSearchParams({ download_frd: '1', expires_at, signature })}` });
    },
  ),
  get(
    '/files/:id/icon_metadata',
    { can: hereIfSeen('reads'), within: ofFile, returns: { json: null }, summary: 'Get icon metadata' },
    async (call) => {
      const [[row]] = await call.db.perform([call.db.build.select().from(files).where(present(call.id))]);
      return iconMetadata(call, found(row));
    },
  ),
  post(
    '/files/:id/reset_verifier',
    {
      can: (call) => here('edits')(call) && mayBecomeOthers(call),
      within: ofFile,
      returns: file,
      summary: 'Reset link verifiers',
    },
    ({ db, id, now }) =>
      write(
        [
          db.build
            .update(files)
            .set({ uuid: randomText(40), updated_at: now })
            .where(present(id)),
        ],
        one(rows(files, { where: present(id) })),
      ),
  ),
  get('/files/:id/:uuid/status', { can: 'anyone', returns: uploadState, summary: 'Get the status of an upload' }, ({ id, me, path }) =>
    one(rows(files, { where: and(eq(files.id, id), eq(files.uuid, path.uuid), mayKnowWhose(me)) })),
  ),
  // Step 2 has already completed the upload; within the ticket's lifetime this returns the file again.
  ...[get, post].map((method) =>
    method(
      '/files/:id/create_success',
      { can: 'anyone', params: { uuid: optional(text) }, include: fileIncludes, returns: uploadedFile, summary: 'Complete an upload' },
      ({ id, me, params, now }) =>
        oneOr(
          rows(files, {
            where: and(
              present(id),
              eq(files.uuid, params.uuid ?? ''),
              gt(sql`json_extract(upload, '$.expires_at')`, now),
              mayKnowWhose(me),
            ),
          }),
          () => new Problem(400, ''),
        ),
    ),
  ),
];

const bytes = { returns: { json: null }, can: 'anyone', conditional: 'bytes' } as const;
const verifierOf = ({ tree }: Pick<Call, 'tree'>) => tree.verifier;
const wantsInline = ({ tree }: Pick<Call, 'tree'>) => tree.inline === '1' || tree.inline === 'true';

/** The file of a context, or its replacement. Anonymous work is found only by those who may know whose it is. */
const inPlace = (call: Call & { id: number }) => {
  const place = thePlace(call);
  return and(keptIn(place), eq(files.id, currentFileId(call.id)), place.reads ? undefined : sql`not ${isAnonymousWork}`) as SQL;
};

const ofBytes = absolute(
  post(
    '/files_api',
    { can: 'anyone', rawBody: true, returns: { json: null }, conditional: 'ticket', summary: 'Send the content of an upload' },
    (call) => receive(call),
  ),
  get('/files/:id/download', { ...bytes, within: ofFile, summary: 'Download a file' }, (call) =>
    serveFile(call, present(call.id), { inline: wantsInline(call), verifier: verifierOf(call) }),
  ),
  ...(['/files/:id', '/files/:id/preview', '/files/:id/file_preview'] as const).map((address) =>
    get(address, { ...bytes, within: ofFile, summary: 'Show a file' }, (call) =>
      serveFile(call, present(call.id), { inline: true, verifier: verifierOf(call) }),
    ),
  ),
  ...places.flatMap((place) => [
    get(`${place}/files/:id/download`, { ...bytes, summary: 'Download a file' }, (call) =>
      serveFile(call, inPlace(call), { inline: wantsInline(call), verifier: verifierOf(call) }),
    ),
    ...(['', '/preview', '/file_preview'] as const).map((rest) =>
      get(`${place}/files/:id${rest}`, { ...bytes, summary: 'Show a file' }, (call) =>
        serveFile(call, inPlace(call), { inline: true, verifier: verifierOf(call) }),
      ),
    ),
    get(`${place}/file_contents/:path+`, { ...bytes, can: here('reads'), summary: 'Show a file by path' }, (call) =>
      serveFile(call, atPath(thePlace(call), call.url.pathname), { inline: !('download_frd' in call.tree) }),
    ),
  ]),
  get('/images/thumbnails/:id/:uuid', { ...bytes, within: ofFile, summary: 'Show an image' }, (call) =>
    serveFile(call, present(call.id), { inline: true, verifier: call.path.uuid }),
  ),
);

export const fileRoutes = [...ofPlaces, ...ofFiles, ...ofBytes];
