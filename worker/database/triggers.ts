// Every trigger of the database, as statements.

import { changeTriggers } from './triggers/changes.ts';
import { copyTriggers } from './triggers/copies.ts';
import { countTriggers } from './triggers/counts.ts';
import { gradingTriggers } from './triggers/grading.ts';
import { itemTriggers } from './triggers/module_items.ts';
import { momentTriggers } from './triggers/moments.ts';
import { sessionTriggers } from './triggers/sessions.ts';
import { stickyTriggers } from './triggers/sticky.ts';

export const triggers = (): readonly string[] => [
  ...changeTriggers(),
  ...momentTriggers(),
  ...copyTriggers,
  ...countTriggers,
  ...itemTriggers,
  ...gradingTriggers,
  ...sessionTriggers,
  ...stickyTriggers(),
];
