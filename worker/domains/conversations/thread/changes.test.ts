// Conversations as values: what a message changes for each participant.

import { describe, expect, test } from 'vitest';
import {
  afterMessage,
  afterParticipantChange,
  joiningParticipants,
  type KeptMessage,
  newParticipant,
  type Participant,
  preview,
  privateKey,
  type ThreadMessage,
  withOnly,
} from './changes';

const [t1, t2, t3] = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z', '2026-11-20T12:00:00Z'] as const;

const saying = (author_id: number, created_at: string, more: Partial<ThreadMessage> = {}): ThreadMessage => ({
  author_id,
  body: `said at ${created_at}`,
  created_at,
  hasAttachments: false,
  hasMedia: false,
  ...more,
});

const after = (participants: readonly Participant[], said: ThreadMessage, to: readonly number[]) =>
  new Map(afterMessage({ private: false, position: 1, participants }, said, to).map((one) => [one.user_id, one]));

const begun = () => [...after([], saying(1, t1), [2, 3]).values()];

const of = (people: readonly Participant[], id: number) => people.find((one) => one.user_id === id) as Participant;

describe('a message', () => {
  test('is unread for its recipients and only sent for its author, until there is a reply', () => {
    const people = begun();
    expect(of(people, 1)).toMatchObject({
      workflow_state: 'read',
      last_message_at: null,
      last_authored_message_at: t1,
      moved_at: t1,
      properties: ['last_author'],
    });
    expect(of(people, 2)).toMatchObject({
      workflow_state: 'unread',
      last_message_at: t1,
      message_count: 1,
      authored_count: 0,
      properties: [],
    });
    const answered = after(people, saying(2, t2), [1, 3]);
    expect(answered.get(1)).toMatchObject({ workflow_state: 'unread', last_message_at: t2, message_count: 2, properties: [] });
    expect(answered.get(2)).toMatchObject({
      workflow_state: 'read',
      last_message_at: t2,
      last_authored_message_at: t2,
      properties: ['last_author'],
    });
  });

  test.each([
    ['archived and subscribed', { workflow_state: 'archived' }, { workflow_state: 'unread', last_message_at: t3 }],
    ['not subscribed', { subscribed: false, workflow_state: 'read' }, { workflow_state: 'read', last_message_at: t1, message_count: 2 }],
    [
      'deleted and not subscribed',
      { subscribed: false, last_message_at: null, message_count: 0 },
      { workflow_state: 'unread', last_message_at: t3 },
    ],
  ] as const)('reaches a copy that is %s', (_, given, expected) => {
    const people = begun().map((one) => (one.user_id === 2 ? { ...one, ...given } : one));
    expect(after(people, saying(1, t3), [2, 3]).get(2)).toMatchObject(expected);
  });

  test('keeps its attachments among the properties', () => {
    const people = [...after(begun(), saying(1, t2, { hasAttachments: true }), [2, 3]).values()];
    expect(after(people, saying(2, t3, { hasMedia: true }), [1, 3]).get(1)?.properties).toEqual(['attachments', 'media_objects']);
  });
});

describe('a copy', () => {
  const kept = (author_id: number, created_at: string, generated = false): KeptMessage => ({
    author_id,
    generated,
    preview: `said at ${created_at}`,
    created_at,
    hasAttachments: false,
    hasMedia: false,
  });

  test('is recounted from the messages left in it', () => {
    const before = { ...of(begun(), 2), starred: true };
    expect(withOnly(before, [kept(1, t1), kept(2, t2), kept(1, t3, true)])).toMatchObject({
      message_count: 2,
      authored_count: 1,
      last_message_at: t2,
      last_authored_message_at: t2,
      starred: true,
      properties: ['last_author'],
    });
    expect(withOnly(before, [kept(2, t2)])).toMatchObject({ last_message_at: null, last_authored_message_at: t2, moved_at: t2 });
    expect(withOnly(before, [kept(1, t3, true)])).toMatchObject({ message_count: 0, starred: false, workflow_state: 'read', moved_at: '' });
  });

  test("is unread for a participant who is added, and keeps the owner's settings", () => {
    expect(joiningParticipants([9], [kept(1, t1)], t2)[0]).toMatchObject({
      user_id: 9,
      workflow_state: 'unread',
      message_count: 1,
      joined_at: t2,
    });
    expect(joiningParticipants([9], [], t2)[0]).toEqual(newParticipant(9, t2));
    const unread = of(begun(), 2);
    expect(afterParticipantChange(unread, { subscribed: false }, false)).toMatchObject({ subscribed: false, workflow_state: 'read' });
    expect(afterParticipantChange(unread, { subscribed: false }, true)).toMatchObject({ subscribed: true, workflow_state: 'unread' });
    expect(afterParticipantChange(unread, { subscribed: false, workflow_state: 'archived', starred: true }, false)).toMatchObject({
      workflow_state: 'archived',
      starred: true,
    });
  });
});

test('a private conversation is found by its two participants, regardless of who started it', () => {
  expect([privateKey(7, 3), privateKey(3, 7), privateKey(3, 3)]).toEqual(['3,7', '3,7', '3']);
  expect(preview('x'.repeat(101))).toHaveLength(100);
});
