// A folder in the feed.

import { sql } from 'drizzle-orm';
import { rows } from '../../../http/listing';
import { isListed, type SyncedKind } from '../../../rules/synced_kind';
import { fileContextOf } from '../place';
import { folder } from './json';
import { heldBy } from './paths';
import { listedFolders } from './policy';
import { folders } from './table';

export const folderSynced: SyncedKind = {
  kind: 'folder',
  serializer: folder,
  listing: (call) => {
    const place = fileContextOf(call);
    if (!place?.reads) return undefined;
    return rows(folders, { where: heldBy(place), columns: isListed(place.lists ? listedFolders(place, call.now) : sql`0`) });
  },
};
