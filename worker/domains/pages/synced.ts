// A page in the feed.

import { rows } from '../../http/listing';
import { homeByContext, listedInCourseOrGroup, type SyncedKind } from '../../rules/synced_kind';
import { page } from './json';
import { listedPages } from './policy';
import { pages } from './table';
import { wikiOf } from './wiki';

export const pageSynced: SyncedKind = {
  kind: 'page',
  serializer: page,
  home: homeByContext('pages'),
  listing: listedInCourseOrGroup((call) => rows(pages, { where: listedPages(wikiOf(call)) })),
};
