// The label of each sync issue, and what the user can do about it.

import type { Issue, Reason } from '../contract/state.ts';
import { size } from './amounts.ts';
import { type MessageKey, t } from './texts.ts';

/** The names that `--json` uses. */
const what: Readonly<Record<string, MessageKey>> = {
  paused: 'issue.paused',
  download: 'issue.download',
  here: 'issue.here',
  list: 'issue.list',
  folder: 'issue.folder',
  unreadable: 'issue.unreadable',
  'many changes': 'issue.manyChanges',
  'no room': 'issue.noRoom',
  'disk full': 'issue.diskFull',
  'read only': 'issue.readOnly',
  'sign in': 'issue.signIn',
  offline: 'issue.offline',
  failed: 'issue.failed',
  missing: 'issue.missing',
  damaged: 'issue.damaged',
  outdated: 'issue.outdated',
  'send: name': 'issue.sendName',
  'your new note': 'issue.create',
  'your changed note': 'issue.update',
  'your deleted note': 'issue.delete',
  'your mark in the planner': 'issue.mark',
  'what you have read': 'issue.read',
  'what you have viewed': 'issue.viewed',
  'your reply': 'issue.reply',
  'your message': 'issue.message',
  'your star': 'outbox.star',
  'your archive': 'outbox.archive',
  'what you marked as done': 'issue.done',
  'what you marked as not done': 'issue.undone',
  'an announcement you closed': 'issue.close',
  'your work': 'issue.work',
  'your grade': 'issue.grade',
  submissions: 'issue.submissions',
};

export function issueWords({ what: code }: Pick<Issue, 'what'>): string {
  const key = what[code] ?? (code.startsWith('send: ') ? 'issue.send' : undefined);
  return key ? t(key) : code;
}

/** A count of bytes, formatted as a size. */
const sizes = new Set(['needs', 'free', 'reserve']);

function said({ code, values }: Reason): string {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    sizes.has(name) && typeof value === 'number' ? size(Math.max(0, value)) : value,
  ]);
  return t(code, Object.fromEntries(entries));
}

export const whyWords = ({ why, reason }: Pick<Issue, 'why' | 'reason'>): string => (reason ? said(reason) : why);

const advice: Partial<Record<MessageKey, MessageKey>> = {
  'why.diskFull': 'advice.space',
  'why.tooFull': 'advice.space',
  'why.notAllowedHere': 'advice.rights',
  'why.readOnly': 'advice.rights',
  'why.openElsewhere': 'advice.open',
  'why.nameTooLong': 'advice.name',
  'why.diskFails': 'advice.disk',
  'why.folderUnreadable': 'advice.rights',
  'why.fileUnreadable': 'advice.rights',
  'why.folderMissing': 'advice.folder',
  'why.noSuchHost': 'advice.network',
  'why.noConnection': 'advice.network',
  'why.certificate': 'advice.certificate',
  'why.wrongBytes': 'advice.cut',
  'why.forbidden': 'advice.forbidden',
  'why.gone': 'advice.gone',
  'why.trouble': 'advice.trouble',
};

/** Undefined when the reason itself says what to do. */
export function adviceFor({ what: code, reason }: Pick<Issue, 'what' | 'reason'>): string | undefined {
  if (code.startsWith('your ')) return t('advice.outbox');
  if (
    reason?.code === 'why.nameNotEverywhere' ||
    reason?.code === 'why.twin' ||
    reason?.code === 'why.folderTwin' ||
    reason?.code === 'why.myFilesIsFile'
  )
    return undefined;
  return t((reason && advice[reason.code]) ?? 'files.says.failed');
}
