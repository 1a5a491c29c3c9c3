// Bookmarks as clients see them.

import { Bookmark } from '@carrel/shared/resources/bookmark';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { bookmarks } from './table';

export const bookmark = serializer({ resource: Bookmark, table: bookmarks, json: (row: RowOf<typeof bookmarks>) => ({ ...row }) });
