// The caller's planner notes and overrides in the feed.

import { and, eq } from 'drizzle-orm';
import { rows } from '../../http/listing';
import type { SyncedKind } from '../../rules/synced_kind';
import { plannerNote } from './notes_json';
import { plannerOverride } from './overrides_json';
import { planner_notes, planner_overrides } from './table';

export const plannerNoteSynced: SyncedKind = {
  kind: 'planner_note',
  serializer: plannerNote,
  listing: ({ me }) => rows(planner_notes, { where: and(eq(planner_notes.user_id, me.id), eq(planner_notes.workflow_state, 'active')) }),
};

export const plannerOverrideSynced: SyncedKind = {
  kind: 'planner_override',
  serializer: plannerOverride,
  listing: ({ me }) =>
    rows(planner_overrides, { where: and(eq(planner_overrides.user_id, me.id), eq(planner_overrides.workflow_state, 'active')) }),
};
