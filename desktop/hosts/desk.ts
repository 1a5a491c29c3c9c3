// The system behind the ui as its hosts call it: by the name of a channel that came from outside.

import type { Desk } from '../engine/desk.ts';
import type { Channel } from '../ui/channels.ts';

export type { Desk };

/** The channels by name, for whoever must decide at run time; the type makes it complete. */
const names: Readonly<Record<Channel, true>> = {
  'account.current': true,
  'account.login': true,
  'account.logout': true,
  'today.list': true,
  'note.create': true,
  'note.update': true,
  'note.delete': true,
  'planner.mark': true,
  'courses.list': true,
  'course.modules': true,
  'module.mark': true,
  'course.pages': true,
  'course.assignments': true,
  'course.files': true,
  'announcements.list': true,
  'search.find': true,
  'inbox.list': true,
  'inbox.open': true,
  'inbox.seen': true,
  'inbox.reply': true,
  'inbox.people': true,
  'inbox.compose': true,
  'course.grades': true,
  'course.discussions': true,
  'discussion.open': true,
  'discussion.seen': true,
  'discussion.reply': true,
  'news.list': true,
  'news.seen': true,
  'notices.choices': true,
  'notices.choose': true,
  'work.open': true,
  'work.write': true,
  'work.attach': true,
  'work.detach': true,
  'work.hand_in': true,
  'outbox.take_back': true,
  'outbox.retry': true,
  'outbox.list': true,
  'outbox.move': true,
  'bookmarks.list': true,
  'bookmarks.mark': true,
  'bookmarks.highlight': true,
  'bookmarks.unhighlight': true,
  'reader.open': true,
  'reader.seen': true,
  'file.open': true,
  'file.reveal': true,
  'file.want': true,
  'choices.look': true,
  'choices.choose': true,
  'publish.state': true,
  'publish.switch': true,
  'publish.plan': true,
  'publish.do': true,
  'template.look': true,
  'template.choose': true,
  'transfers.look': true,
  'transfers.rule': true,
  'transfers.around': true,
  'sync.now': true,
  'sync.status': true,
  'store.item': true,
};

export const isChannel = (name: unknown): name is Channel => typeof name === 'string' && Object.hasOwn(names, name);

/** Calls a channel whose name and argument came from outside; the ui's types vouch for their match. */
export const callByName = (desk: Desk, channel: Channel, given: unknown) => (desk[channel] as (given: unknown) => Promise<unknown>)(given);
