// Avatars: the available images, each with a token that only the server can create.

import { and, desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../../database/open';
import type { Call } from '../../../http/call';
import { sha256 } from '../../../http/idempotency';
import { files } from '../../files/table';
import { avatarOf } from '../display';

export const avatarStates = ['none', 'submitted', 'approved', 'locked', 'reported', 're_reported'] as const;

/** The folder for uploaded avatars (`parent_folder_path`). */
const folder = 'profile pictures';

/** A user's uploaded images, newest first. */
export const uploadedPictures = (db: Database, user_id: number) =>
  db.build
    .select({ id: files.id, uuid: files.uuid, name: files.display_name, content_type: files.content_type, size: files.size })
    .from(files)
    .where(
      and(
        eq(files.context_type, 'User'),
        eq(files.context_id, user_id),
        eq(files.workflow_state, 'available'),
        sql`${files.content_type} like 'image/%'`,
        sql`${files.folder_id} in (select f.id from folders f where f.context_type = 'User' and f.context_id = ${user_id} and f.name = ${folder} collate nocase and f.workflow_state = 'visible')`,
      ),
    )
    .orderBy(desc(files.id))
    .limit(50);
type Pictures = Awaited<ReturnType<typeof uploadedPictures>>;

interface Whose {
  readonly id: number;
  readonly uuid: string;
  readonly avatar_url: string | null;
}

/** The avatars that a user may choose from, as clients see them. No Gravatar, because it would disclose email hashes to a third party. */
export async function avatarsOf(whose: Whose, pictures: Pictures, { origin, env }: Pick<Call, 'origin' | 'env'>) {
  const token = (type: string, of: string | number) => sha256(`${env.SIGNING_SECRET} avatar ${whose.uuid} ${type} ${of}`);
  const address = (picture: { id: number; uuid: string }) => `${origin}/images/thumbnails/${picture.id}/${picture.uuid}`;
  const attachments = await Promise.all(
    pictures.map(async (picture) => ({
      type: 'attachment',
      url: address(picture),
      token: await token('attachment', picture.id),
      display_name: picture.name,
      id: picture.id,
      'content-type': picture.content_type,
      filename: picture.name,
      size: picture.size,
    })),
  );
  const isExternal = whose.avatar_url !== null && !attachments.some(({ url }) => url === whose.avatar_url);
  return [
    ...(isExternal
      ? [
          {
            type: 'external',
            url: whose.avatar_url,
            token: await token('external', whose.avatar_url ?? ''),
            display_name: 'external picture',
          },
        ]
      : []),
    ...attachments,
    { type: 'no_pic', url: avatarOf({ avatar_url: null }, origin), token: await token('no_pic', ''), display_name: 'no pic' },
  ];
}

/** The URL for a token: null for no image, undefined for an invalid token. */
export async function chosenAvatar(given: string, whose: Whose, pictures: Pictures, call: Pick<Call, 'origin' | 'env'>) {
  const chosen = (await avatarsOf(whose, pictures, call)).find(({ token }) => token === given);
  return chosen && (chosen.type === 'no_pic' ? null : chosen.url);
}
