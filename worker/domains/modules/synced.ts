// A module in the feed, with its items.

import { rows } from '../../http/listing';
import { homeByCourse, listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { module } from './json';
import { visibleModules } from './policy';
import { modules } from './table';

export const moduleSynced: SyncedKind = {
  kind: 'module',
  serializer: module,
  home: homeByCourse('modules'),
  include: ['items', 'content_details'],
  listing: listedInCourse((course, call) => rows(modules, { where: visibleModules(course, call) })),
};
