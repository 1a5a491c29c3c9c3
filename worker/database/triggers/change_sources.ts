// What changes for whom, by a write or by time: the data that the triggers of the change log and of scheduled changes are generated from. Each domain
// declares its own in `change_sources.ts`. They are ordered by kind, so that the order of the triggers does not depend on the files.

import { kinds } from '@carrel/shared/sync/protocol';
import { changeSources, scheduleSources } from '../../dist/change_sources.ts';

export const sources = kinds.flatMap((kind) => changeSources.filter((source) => source.kind === kind));
export const schedules = kinds.flatMap((kind) => scheduleSources.filter((source) => source.kind === kind));
