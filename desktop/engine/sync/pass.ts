// One pass over the study folder: what each of its steps works with.

import { diskAt, type Net } from '../disk/disk';
import { checkFolder } from '../disk/folder';
import { netOf } from '../disk/safety_net';
import type { Disk } from '../model/ports';
import type { Path } from '../model/trees';
import { because, type SyncProblem, type Why } from './reason';
import type { SyncEngine, SyncRunOptions } from './request';
import type { Derived } from './wanted/derive';

/** What the report of a sync counts. */
export interface SyncCount {
  downloaded: number;
  bytes: number;
  unchanged: number;
}

export interface Pass {
  readonly engine: SyncEngine;
  readonly given: SyncRunOptions;
  readonly wanted: Derived;
  readonly count: SyncCount;
  /** Each step adds the problems that it finds. */
  readonly issues: SyncProblem[];
  readonly root: string;
  readonly disk: Disk;
  readonly net: Net;
  /** Files that could not be read: they are neither uploaded nor compared. */
  readonly unread: ReadonlyMap<Path, Why>;
}

export function passOf(engine: SyncEngine, given: SyncRunOptions, wanted: Derived, count: SyncCount, issues: SyncProblem[]): Pass {
  const { cache, user, clock, standing } = engine;
  const root = checkFolder(user);
  const net = netOf(cache, user, clock.now);
  const bare = engine.diskOf?.(root, net) ?? diskAt(root, { trash: engine.trash, net });
  const unread = new Map<Path, Why>();
  const disk = noticing(standing?.watched(root, bare) ?? bare, unread);
  return { engine, given, wanted, count, issues, root, disk, net, unread };
}

/** Adds to `unread` which files could not be read. */
function noticing(disk: Disk, unread: Map<Path, Why>): Disk {
  return {
    ...disk,
    async hash(path) {
      const seen = await disk.hash(path);
      const problem = seen ? undefined : disk.whyUnread?.(path);
      if (problem) unread.set(path, { ...because('why.fileUnreadable', { where: path }) });
      else unread.delete(path);
      return seen;
    },
  };
}
