// Content licences and usage rights: every endpoint, in the order of the API reference.

import { License } from '@carrel/shared/resources/license';
import { bool, idField, listOf, object, oneOf, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { and, inArray, or, type SQL, sql } from 'drizzle-orm';
import { among, theIds } from '../../database/ids';
import type { Call } from '../../http/call';
import { del, get, put } from '../../http/endpoint';
import { badParameter, refused } from '../../http/problem';
import { answer, write } from '../../http/reply';
import { changeUnlocked } from '../../rules/blueprint_locks';
import { heldBy } from '../files/folders/paths';
import { subtree } from '../files/folders/policy';
import { folders } from '../files/folders/table';
import { here, thePlace } from '../files/place';
import { keptIn } from '../files/policy';
import { files } from '../files/table';
import { justifications, licenseOf, licenses, usualLicense } from './licenses';

export const about = { title: 'Content licenses', description: 'Licenses that can be given to files.' };

const places = ['/courses/:course_id', '/users/:user_id', '/groups/:group_id'] as const;

const chosen = { file_ids: optional(listOf(idField('file'))), folder_ids: optional(listOf(idField('folder'))) };
const usage = object({ use_justification: oneOf(...justifications), legal_copyright: optional(text), license: optional(text) });

type Chosen = Shape<typeof chosen>;

/** The ids of the named files, and of all files in the named folders. */
async function meant(call: Pick<Call, 'db' | 'course' | 'user' | 'group' | 'me'> & { params: Chosen }): Promise<number[]> {
  const { db, params } = call;
  const { file_ids = [], folder_ids = [] } = params;
  if (file_ids.length === 0 && folder_ids.length === 0) throw refused(400, "Must supply 'file_ids' and/or 'folder_ids' parameter");
  const place = thePlace(call);
  const named = sql`select id from folders where ${heldBy(place)} and ${among(folders.id, folder_ids)}`;
  const [found] = await db.perform([
    db.build
      .select({ id: files.id })
      .from(files)
      .where(and(keptIn(place), or(among(files.id, file_ids), sql`${files.folder_id} in (${subtree(named)})`)))
      .orderBy(files.id),
  ]);
  return found.map(({ id }) => id);
}

const within = (ids: readonly number[]): SQL => inArray(files.id, sql`(${theIds(ids)})`);
const updated = (count: number) => `${count} ${count === 1 ? 'file' : 'files'} updated`;

const ofPlaces = places.flatMap((place) => [
  put(
    `${place}/usage_rights`,
    {
      can: here('edits'),
      params: { ...chosen, usage_rights: optional(usage), publish: optional(bool) },
      returns: { json: null },
      summary: 'Set usage rights',
    },
    async (call) => {
      const { db, params, now } = call;
      const given = params.usage_rights;
      if (!given) throw badParameter('usage_rights', 'is missing');
      const license = licenseOf(given.license || usualLicense(given.use_justification));
      if (!license) throw badParameter('usage_rights[license]', 'is not a known licence');
      const file_ids = await meant(call);
      const rights = {
        use_justification: given.use_justification,
        license: license.id,
        license_name: license.name,
        legal_copyright: given.legal_copyright ?? null,
      };
      return write(
        [
          ...changeUnlocked(
            db,
            files,
            { usage_rights: rights, updated_at: now, ...(params.publish && { locked: false }) },
            within(file_ids),
          ),
        ],
        answer({ ...rights, message: updated(file_ids.length), file_ids }),
      );
    },
  ),
  del(
    `${place}/usage_rights`,
    { can: here('edits'), params: chosen, returns: { json: null }, summary: 'Remove usage rights' },
    async (call) => {
      const file_ids = await meant(call);
      return write(
        [call.db.build.update(files).set({ usage_rights: null, updated_at: call.now }).where(within(file_ids))],
        answer({ message: updated(file_ids.length), file_ids }),
      );
    },
  ),
]);

// Older versions of the API use the singular.
const ofLicenses = [...places, '/course/:course_id' as const].map((place) =>
  get(`${place}/content_licenses`, { can: here('reads'), returns: { json: License }, summary: 'List content licences' }, () =>
    answer(licenses),
  ),
);

export const contentLicenseRoutes = [...ofPlaces, ...ofLicenses];
