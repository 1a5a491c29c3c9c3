// A single submission comment, in the response to a change of it.

import { SubmissionComment } from '@carrel/shared/resources/submission';
import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { RowOf } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { mediaCommentJson } from '../../rules/media_comments';
import { shownBy } from '../assignments/submissions/comment_files';
import { filesByIds, uploadedFile } from '../files/json';
import { displayRows, userDisplay } from '../users/display';
import { submission_comments } from './table';

const authors = (ids: SQL) => sql`select author_id from submission_comments where ${isInSelect(sql`id`, ids)}`;
const attached = (ids: SQL) =>
  sql`select f.id from submission_comments c, json_each(c.attachment_ids) j join files f on f.id = j.value where ${isInSelect(sql`c.id`, ids)} and ${shownBy('c.author_id', 'f')}`;

export const submissionComment = serializer({
  resource: SubmissionComment,
  table: submission_comments,
  also: (ids, { db }) => ({ authors: displayRows(db, authors(ids)), files: embed(uploadedFile, filesByIds(attached(ids))) }),
  json(row: RowOf<typeof submission_comments>, { origin }, { authors: people, files }) {
    const person = people.find(({ id }) => id === row.author_id);
    const author = userDisplay(person, origin);
    const own = files.filter((one) => row.attachment_ids.includes(one.row.id)).map(({ json }) => json);
    return {
      ...row,
      author_name: person?.short_name ?? '',
      author,
      avatar_path: author.avatar_image_url,
      media_comment: mediaCommentJson(row),
      attachments: own.length > 0 ? own : undefined,
    };
  },
});
