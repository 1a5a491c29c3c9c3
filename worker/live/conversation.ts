// Durable Object of one conversation: serialises its messages, new participants and changes to participants' copies.

import type { Addition } from '../domains/conversations/thread/add_message';
import type { Invitation } from '../domains/conversations/thread/add_recipients';
import type { OwnCopyChange, Removal } from '../domains/conversations/thread/own_copy';
import type { Turn } from '../domains/conversations/thread/turn';
import { SerialObject } from './serial_object';

declare module '../platform' {
  interface Platform {
    readonly CONVERSATION: DurableObjectNamespace<ConversationObject>;
  }
}

export class ConversationObject extends SerialObject {
  addMessage(given: Addition) {
    return this.inOrder(async (db) => (await import('../domains/conversations/thread/add_message')).addMessage(db, given));
  }
  addRecipients(given: Invitation) {
    return this.inOrder(async (db) => (await import('../domains/conversations/thread/add_recipients')).addRecipients(db, given));
  }
  removeMessages(given: Removal) {
    return this.inOrder(async (db) => (await import('../domains/conversations/thread/own_copy')).removeMessages(db, given));
  }
  change(given: OwnCopyChange) {
    return this.inOrder(async (db) => (await import('../domains/conversations/thread/own_copy')).changeThread(db, given));
  }
  read(given: Turn) {
    return this.inOrder(async (db) => (await import('../domains/conversations/thread/own_copy')).readThread(db, given));
  }
}
