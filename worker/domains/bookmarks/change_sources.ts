// Writes that change a bookmark in the feed.

import { me, type TriggerSource } from '../../database/triggers/source.ts';

export const bookmarkSources: readonly TriggerSource[] = [{ table: 'bookmarks', kind: 'bookmark', item: '$.id', scope: me }];
