// A file in the feed.

import { sql } from 'drizzle-orm';
import { rows } from '../../http/listing';
import { homeByContext, isListed, type SyncedKind } from '../../rules/synced_kind';
import { syncedFile } from './json';
import { fileContextOf } from './place';
import { keptIn, listedFiles } from './policy';
import { files } from './table';

export const fileSynced: SyncedKind = {
  kind: 'file',
  serializer: syncedFile,
  home: homeByContext('files'),
  listing: (call) => {
    const place = fileContextOf(call);
    if (!place?.reads) return undefined;
    return rows(files, { where: keptIn(place), columns: isListed(place.lists ? listedFiles(place, call.now) : sql`0`) });
  },
};
