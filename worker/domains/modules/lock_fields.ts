// Whether content is locked for the caller, and the lock fields of its JSON.

import type { lockInfo } from '@carrel/shared/resources/lock_fields';
import type { Of } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';

type LockInfo = Of<typeof lockInfo>;
/** The module part of a lock, from `moduleLockOf`. */
export type ModuleLock = NonNullable<LockInfo['context_module']>;

interface Lockable {
  /** `assignment_4`, `wiki_page_7`, `discussion_topic_1`, `attachment_9`. */
  readonly asset_string: string;
  readonly unlock_at?: string | null;
  readonly lock_at?: string | null;
  readonly module?: ModuleLock;
  readonly manually_locked?: boolean;
}

export interface LockFields {
  readonly locked_for_user: boolean;
  readonly lock_info?: LockInfo;
  readonly lock_explanation?: string;
}

const nouns: Record<string, string> = {
  assignment: 'assignment',
  wiki_page: 'page',
  discussion_topic: 'topic',
  attachment: 'file',
  folder: 'folder',
  quiz: 'quiz',
};

const nounOf = (asset_string: string) => lookUp(nouns, asset_string.replace(/^.*:|_\d+$/g, '')) ?? 'item';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const moment = (at: string) => `<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 16)} UTC</time>`;

function explanation(
  noun: string,
  early: string | undefined,
  late: string | undefined,
  module: ModuleLock | undefined,
  now: string,
): string {
  if (early) return `This ${noun} is locked until ${moment(early)}.`;
  if (module) {
    const name = `<b>${escaped(module.name)}</b>`;
    if (module.workflow_state !== 'active') return `This ${noun} is part of the module ${name}, which is not published.`;
    if (module.unlock_at && module.unlock_at > now)
      return `This ${noun} is part of the module ${name}, which is locked until ${moment(module.unlock_at)}.`;
    return `This ${noun} is part of the module ${name} and has not been unlocked yet.`;
  }
  if (late) return `This ${noun} was locked ${moment(late)}.`;
  return `This ${noun} is locked.`;
}

/** The lock fields at a given time. Omit `module` for staff and observers, and the dates for callers they do not apply to. */
export function lockFields({ asset_string, unlock_at, lock_at, module, manually_locked }: Lockable, now: string): LockFields {
  const early = unlock_at && unlock_at > now ? unlock_at : undefined;
  const late = lock_at && lock_at <= now ? lock_at : undefined;
  if (!early && !late && !module && !manually_locked) return { locked_for_user: false };
  const opens = early ?? (module?.unlock_at && module.unlock_at > now ? module.unlock_at : undefined);
  return {
    locked_for_user: true,
    lock_info: {
      asset_string,
      ...(opens && { unlock_at: opens }),
      ...(late && { lock_at: late }),
      ...(module && { context_module: module }),
      ...(manually_locked && { manually_locked: true }),
      ...(late && !early && !module && !manually_locked && { can_view: true }),
    },
    lock_explanation: explanation(nounOf(asset_string), early, late, module, now),
  };
}
