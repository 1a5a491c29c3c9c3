// What changes for whom when a row is written: the data that the change log's triggers are generated from.

import { kinds } from '@carrel/shared/sync/protocol';
import { ofContent } from './sources/content.ts';
import { ofGroups } from './sources/groups.ts';
import { ofModules } from './sources/modules.ts';
import { ofPeople } from './sources/people.ts';
import { ofPlans } from './sources/plans.ts';
import type { TriggerSource } from './sources/source.ts';
import { ofTalk } from './sources/talk.ts';
import { ofWork } from './sources/work.ts';

const all = [...ofPeople, ...ofWork, ...ofModules, ...ofTalk, ...ofPlans, ...ofContent, ...ofGroups];

/** By kind, so that the order of the triggers does not depend on the files. */
export const sources: readonly TriggerSource[] = kinds.flatMap((kind) => all.filter((source) => source.kind === kind));
