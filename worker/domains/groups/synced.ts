// A group and its memberships in the feed.

import { and, eq, sql } from 'drizzle-orm';
import { rows } from '../../http/listing';
import { listedInGroup, type SyncedKind } from '../../rules/synced_kind';
import { group, groupMembership } from './json';
import { isLive, onlyGroup } from './policy';
import { group_memberships, groups } from './table';

export const groupSynced: SyncedKind = {
  kind: 'group',
  serializer: group,
  home: (item) => `-${item}`,
  include: ['favorites'],
  listing: listedInGroup((place) => rows(groups, { where: onlyGroup(place) })),
};

export const groupMembershipSynced: SyncedKind = {
  kind: 'group_membership',
  serializer: groupMembership,
  home: (item) => `(select -group_id from group_memberships where id = ${item})`,
  listing: listedInGroup((place) => rows(group_memberships, { where: and(eq(group_memberships.group_id, place.id), sql`${isLive}`) })),
};
