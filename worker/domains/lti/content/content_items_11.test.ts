import { expect, test } from 'vitest';
import { deepLinkTypes } from '../../../rules/content_choices';
import { contentItemsOf } from './content_items';
import { itemsOfGraph, itemsOfReturn } from './content_items_11';

const choice = { accepts: deepLinkTypes, isMultiple: true };
const read = (...graph: object[]) => contentItemsOf(itemsOfGraph(JSON.stringify({ '@graph': graph })), choice);

test('items of LTI 1.1 are those of deep linking', () => {
  const link = {
    '@type': 'LtiLinkItem',
    mediaType: 'application/vnd.ims.lti.v1.ltilink',
    url: 'https://tool.example/1',
    title: 'One',
    custom: { unit: 1 },
    placementAdvice: { presentationDocumentTarget: 'iframe', displayWidth: 500, displayHeight: 300 },
    lineItem: { label: 'Exam', scoreConstraints: { normalMaximum: 20 }, assignedActivity: { activityId: 'r1' } },
    submission: { endDatetime: '2027-01-01T00:00:00Z' },
  };
  expect(read(link)).toMatchObject([
    {
      type: 'ltiResourceLink',
      title: 'One',
      custom: { unit: '1' },
      isFramed: true,
      width: 500,
      height: 300,
      lineItem: { label: 'Exam', scoreMaximum: 20, resourceId: 'r1' },
      due_at: '2027-01-01T00:00:00Z',
    },
  ]);
  expect(
    read(
      { '@type': 'ContentItem', mediaType: 'text/html', url: 'https://web.example/' },
      { '@type': 'ContentItem', mediaType: 'text/html', text: '<p>x</p>' },
      { '@type': 'ContentItem', mediaType: 'image/png', url: 'https://web.example/i.png', placementAdvice: { displayWidth: 9 } },
      { '@type': 'FileItem', mediaType: 'application/pdf', url: 'https://web.example/f.pdf' },
    ),
  ).toMatchObject([
    { type: 'link', isFramed: false },
    { type: 'html', html: '<p>x</p>' },
    { type: 'image', width: 9 },
    { type: 'file', mediaType: 'application/pdf' },
  ]);
  expect(itemsOfGraph('')).toEqual([]);
  for (const wrong of ['x', '[]', '5', '{"@graph":{}}', 'null']) expect(itemsOfGraph(wrong), wrong).toBeUndefined();
  expect(() => read('x' as never)).toThrow('object');
});

test('a return address has one item, or none', () => {
  expect(itemsOfReturn({})).toEqual([]);
  expect(itemsOfReturn({ return_type: 'oembed' })).toBeUndefined();
  expect(itemsOfReturn({ return_type: 'constructor' })).toBeUndefined();
  const one = (given: Record<string, string>) => contentItemsOf(itemsOfReturn({ url: 'https://tool.example/1', ...given }), choice)[0];
  expect(one({ return_type: 'lti_launch_url', text: 'One' })).toMatchObject({ type: 'ltiResourceLink', title: 'One' });
  expect(one({ return_type: 'iframe', width: '500' })).toMatchObject({ type: 'link', isFramed: true, width: 500 });
  expect(one({ return_type: 'image_url', alt: 'Map', width: '5' })).toMatchObject({ type: 'image', title: 'Map', width: 5 });
  expect(one({ return_type: 'file', content_type: 'text/plain' })).toMatchObject({ type: 'file', mediaType: 'text/plain' });
});
