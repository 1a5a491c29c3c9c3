import { describe, expect, it } from 'vitest';
import { type PackagedPage, readPackagedPage, writePackagedPage } from './page';

describe('a page is the same after it is written and read', () => {
  it.each<[string, PackagedPage]>([
    [
      'with all settings',
      { identifier: 'g1', editing_roles: 'teachers,students', workflow_state: 'active', front_page: 'true', title: 'A', body: 'B' },
    ],
    ['with markup in its title', { title: 'A & <b> "c"', body: '<p>One &amp; two</p>\n<p>Three</p>' }],
    ['without text', { title: 'Empty', body: '' }],
    ['with a quote in a setting', { title: '', body: '', todo_date: '"2026" & later' }],
  ])('%s', (_, page) => expect(readPackagedPage(writePackagedPage(page))).toEqual(page));
});

it.each<[string, string, PackagedPage]>([
  [
    'attributes in other order and quotes',
    "<HEAD><META content='g1' name='identifier'></HEAD><BODY class='x'>Hi</BODY>",
    { identifier: 'g1', title: '', body: 'Hi' },
  ],
  ['a fragment', '<p>Only a fragment</p>', { title: '', body: '<p>Only a fragment</p>' }],
  ['unknown settings', '<meta name="constructor" content="x"><title>T</title><body>b', { title: 'T', body: 'b' }],
])('of other writers: %s', (_, html, page) => expect(readPackagedPage(html)).toEqual(page));
