import { expect, test } from 'vitest';
import { deepLinkTypes } from '../../../rules/content_choices';
import { contentItemsOf, WrongContent } from './content_items';

const any = { accepts: deepLinkTypes, isMultiple: true };
const link = { type: 'ltiResourceLink', url: 'https://tool.example/1', title: 'Unit 1' };

test('items are read with what they are about', () => {
  const [item] = contentItemsOf(
    [
      {
        ...link,
        custom: { chapter: 1 },
        iframe: { width: 600, height: '400' },
        lineItem: { scoreMaximum: 20, label: 'Test', tag: 't', resourceId: 'r' },
        available: { startDateTime: '2026-03-01T10:00:00+01:00' },
        submission: { endDateTime: '2026-03-02T10:00:00Z' },
      },
    ],
    any,
  );
  expect(item).toEqual({
    type: 'ltiResourceLink',
    title: 'Unit 1',
    text: undefined,
    url: 'https://tool.example/1',
    html: undefined,
    custom: { chapter: '1' },
    isFramed: true,
    width: 600,
    height: 400,
    lineItem: { label: 'Test', scoreMaximum: 20, tag: 't', resourceId: 'r' },
    unlock_at: '2026-03-01T09:00:00Z',
    due_at: '2026-03-02T10:00:00Z',
    lock_at: undefined,
  });
  expect(contentItemsOf([{ type: 'ltiResourceLink' }], any)[0]?.url).toBeUndefined();
  expect(contentItemsOf([{ type: 'html', html: '<p>x</p>' }], any)[0]).toMatchObject({ html: '<p>x</p>', isFramed: false });
  expect(contentItemsOf(undefined, any)).toEqual([]);
  expect(contentItemsOf([], any)).toEqual([]);
});

test('what a place does not take is refused', () => {
  const one = { accepts: ['ltiResourceLink'] as const, isMultiple: false };
  expect(contentItemsOf([link], one)).toHaveLength(1);
  expect(() => contentItemsOf([link, link], one)).toThrow(WrongContent);
  expect(() => contentItemsOf([{ type: 'link', url: 'https://x.example/' }], one)).toThrow(WrongContent);
  for (const wrong of [
    'text',
    [5],
    [{ type: 'other' }],
    [{ type: 'link' }],
    [{ type: 'html' }],
    [{ ...link, url: 'javascript:alert(1)' }],
    [{ ...link, url: 'https://user:word@tool.example/' }],
    [{ ...link, title: 'x'.repeat(256) }],
    [{ ...link, custom: 'x' }],
    [{ ...link, lineItem: { scoreMaximum: -1 } }],
    [{ ...link, submission: { endDateTime: 'tomorrow' } }],
    Array.from({ length: 101 }, () => link),
  ])
    expect(() => contentItemsOf(wrong, any), JSON.stringify(wrong).slice(0, 80)).toThrow(WrongContent);
});
