// A change to a blueprint's content, for the case tables of blueprint syncs.

import type { Changed } from '../../worker/domains/blueprint_templates/changes';

/** An item that the associated courses have, active and not locked, unless `more` says otherwise. */
export const changed = (seq: number, kind: Changed['kind'], id: number, more: Partial<Changed> = {}): Changed => ({
  seq,
  kind,
  id,
  name: `${kind} ${id}`,
  workflow_state: 'active',
  url: null,
  is_announcement: 0,
  is_known: 1,
  is_locked: 0,
  whole_kind: null,
  whole_id: null,
  ...more,
});
