// What changes for whom when a row is written: the data that the change log's triggers are generated from.

import { ofContent } from './sources/content.ts';
import { ofGroups } from './sources/groups.ts';
import { ofModules } from './sources/modules.ts';
import { ofPeople } from './sources/people.ts';
import { ofPlans } from './sources/plans.ts';
import type { TriggerSource } from './sources/source.ts';
import { ofTalk } from './sources/talk.ts';
import { ofWork } from './sources/work.ts';

export const sources: readonly TriggerSource[] = [...ofPeople, ...ofWork, ...ofModules, ...ofTalk, ...ofPlans, ...ofContent, ...ofGroups];
