// Durable Object of one conversation: serialises its messages, new participants and changes to participants' copies.

import { type Addition, addMessage } from '../domains/conversations/thread/add_message';
import { addRecipients, type Invitation } from '../domains/conversations/thread/add_recipients';
import { changeThread, type OwnCopyChange, type Removal, readThread, removeMessages } from '../domains/conversations/thread/own_copy';
import type { Turn } from '../domains/conversations/thread/turn';
import { SerialObject } from './serial_object';

declare module '../platform' {
  interface Platform {
    readonly CONVERSATION: DurableObjectNamespace<ConversationObject>;
  }
}

export class ConversationObject extends SerialObject {
  addMessage(given: Addition) {
    return this.inOrder((db) => addMessage(db, given));
  }
  addRecipients(given: Invitation) {
    return this.inOrder((db) => addRecipients(db, given));
  }
  removeMessages(given: Removal) {
    return this.inOrder((db) => removeMessages(db, given));
  }
  change(given: OwnCopyChange) {
    return this.inOrder((db) => changeThread(db, given));
  }
  read(given: Turn) {
    return this.inOrder((db) => readThread(db, given));
  }
}
