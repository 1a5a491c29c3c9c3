// Titles and captions of recordings: a copied file has those of the original.

import { nowSql } from './now.ts';
import { trigger } from './trigger.ts';

export const recordingTriggers = [
  trigger({
    on: 'files',
    name: 'copy_captions',
    event: 'insert',
    when: "new.copied_from_id is not null and (new.content_type like 'audio/%' or new.content_type like 'video/%')",
    run: [
      `insert into media_titles (id, user_entered_title, created_at, updated_at)
    select new.id, m.user_entered_title, ${nowSql}, ${nowSql} from media_titles m where m.id = new.copied_from_id;`,
      `insert into media_tracks (file_id, locale, kind, content, user_id, created_at, updated_at)
    select new.id, t.locale, t.kind, t.content, t.user_id, ${nowSql}, ${nowSql} from media_tracks t where t.file_id = new.copied_from_id order by t.id;`,
    ],
    purpose: 'Copy the title and the captions of a recording with its file.',
  }),
  trigger({
    on: 'files',
    name: 'forget_captions',
    event: 'delete',
    run: ['delete from media_titles where id = old.id;', 'delete from media_tracks where file_id = old.id;'],
    purpose: 'Remove the title and the captions of a recording whose file is removed.',
  }),
];
