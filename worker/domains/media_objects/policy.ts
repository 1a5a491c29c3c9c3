// Which files are recordings, and which one a path names.

import { eq, type SQL, sql } from 'drizzle-orm';
import { ofFile } from '../files/policy';
import { files } from '../files/table';

export const isRecording = sql`(files.content_type like 'audio/%' or files.content_type like 'video/%')`;

const uuidOf = (media_id: string | undefined): string => (media_id ?? '').replace(/^m-/, '');

type Path = Readonly<Record<string, string>>;

/** The ways to name a recording in a path. */
export const byMediaId = {
  address: '/media_objects/:media_object_id',
  frame: '/media_objects_iframe/:media_object_id',
  /** For `within`: the context of its file. */
  holders: ({ media_object_id }: Path) => {
    const holder = (type: string) =>
      sql`select context_id from files where uuid = ${uuidOf(media_object_id)} and context_type = ${type} and workflow_state = 'available'`;
    return { course: holder('Course'), user: holder('User'), group: holder('Group') };
  },
  where: ({ media_object_id }: Path): SQL => eq(files.uuid, uuidOf(media_object_id)),
} as const;

export const byAttachment = {
  address: '/media_attachments/:attachment_id',
  frame: '/media_attachments_iframe/:attachment_id',
  holders: ({ attachment_id = '' }: Path) => ofFile({ id: attachment_id }),
  where: ({ attachment_id = '' }: Path): SQL => eq(files.id, /^\d{1,15}$/.test(attachment_id) ? Number(attachment_id) : 0),
} as const;
