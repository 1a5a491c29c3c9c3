// The rows of packaged content: sanitised, and with values that are known here.

import { describe, expect, it } from 'vitest';
import { assignmentRow } from './stage_assignments';
import { courseColumns, packagedCourseSettings, tabsIn } from './stage_course';
import { pageRow, topicRow } from './stage_documents';
import { packagedFilePlace } from './stage_files';
import { itemRow } from './stage_modules';
import { criterionOf } from './stage_rubrics';
import { packagedOutcomeTree, schemeEntriesIn } from './stage_settings';

const hostile = '<b onclick="x()">b</b><script>x()</script>';
const now = '2026-01-01T00:00:00Z';

describe('an assignment', () => {
  it('has defaults for what is missing or unknown', () =>
    expect(
      assignmentRow(
        { identifier: 'a', grading_type: 'stars', submission_types: ['online_quiz', 'telepathy'], allowed_attempts: 0 },
        hostile,
      ),
    ).toMatchObject({
      name: 'Assignment',
      description: '<b>b</b>',
      grading_type: 'points',
      submission_types: ['none'],
      allowed_attempts: -1,
      points_possible: null,
      workflow_state: 'published',
    }));

  it('keeps the address of a tool of the web only', () => {
    const given = { identifier: 'a', submission_types: ['external_tool'] };
    expect(assignmentRow({ ...given, external_tool_url: 'javascript:x()' }, null).options).toEqual({});
    expect(assignmentRow({ ...given, external_tool_url: 'https://t.edu' }, null).options).toEqual({
      external_tool_tag_attributes: { url: 'https://t.edu', new_tab: false },
    });
  });
});

describe('a page', () => {
  it('is found by the name of its file, which is unique', () => {
    const taken = new Set(['hello-world']);
    const document = { identifier: 'p', path: 'wiki_content/hello%20world.html' };
    expect(pageRow(document, { title: '', body: hostile, editing_roles: 'kings' }, taken)).toMatchObject({
      url: 'hello-world-2',
      title: 'hello world',
      body: '<b>b</b>',
      editing_roles: 'teachers',
      front_page: false,
      workflow_state: 'active',
    });
    expect(taken.has('hello-world-2')).toBe(true);
  });
});

describe('a topic', () => {
  const topic = { title: 'T', text: hostile, attachments: ['/courses/5/package_file/a/b.pdf'] };
  it.each([
    [undefined, 'active'],
    [{ workflow_state: 'unpublished' }, 'unpublished'],
    [{ delayed_post_at: '2026-02-01T00:00:00Z' }, 'post_delayed'],
    [{ delayed_post_at: '2025-02-01T00:00:00Z' }, 'active'],
  ])('with the settings %j is %s', (settings, state) => expect(topicRow('t', topic, settings, now).workflow_state).toBe(state));

  it('names its attachment by the path in the package', () =>
    expect(topicRow('t', topic, undefined, now)).toMatchObject({
      message: '<b>b</b>',
      paths: ['path:web_resources/a/b.pdf', 'path:a/b.pdf'],
    }));
});

describe('a module item', () => {
  const content = new Map([['page p1', 7]]);
  it.each([
    [
      { content_type: 'WikiPage', identifierref: 'p1' },
      { type: 'Page', content_id: 7 },
    ],
    [
      { content_type: 'ContextModuleSubHeader', title: 'H' },
      { type: 'SubHeader', content_id: null },
    ],
    [
      { content_type: 'ExternalUrl', url: 'https://a.edu', indent: 9 },
      { type: 'ExternalUrl', external_url: 'https://a.edu', indent: 5 },
    ],
  ])('%j is imported', (item, expected) => expect(itemRow('m', item, undefined, content).row).toMatchObject(expected));

  it.each([
    { content_type: 'WikiPage', identifierref: 'gone' },
    { content_type: 'Nonsense' },
    { content_type: 'ExternalUrl', url: 'javascript:x()' },
  ])('%j is left out', (item) => expect(itemRow('m', item, undefined, content).row).toBeUndefined());

  it('has its requirement', () =>
    expect(itemRow('m', { content_type: 'WikiPage', identifierref: 'p1' }, { type: 'min_score', min_score: 3 }, content).row).toMatchObject(
      { requirement_type: 'min_score', min_score: 3, min_percentage: null },
    ));
});

it('a criterion has its ratings by points, and the outcome of the package', () =>
  expect(
    criterionOf(
      {
        description: 'C',
        learning_outcome_identifierref: 'o',
        ratings: [
          { description: 'No', points: 0 },
          { description: 'Yes', points: 4 },
        ],
      },
      0,
      (identifier) => (identifier === 'o' ? 9 : undefined),
    ),
  ).toMatchObject({ points: 4, learning_outcome_id: 9, ratings: [{ points: 4 }, { points: 0 }] }));

it.each([
  ['[["F",0],["A",0.9]]', ['A', 'F']],
  ['[["A","x"]]', undefined],
  ['{}', undefined],
  ['', undefined],
])('the grading scheme %s has the entries %j', (data, names) => expect(schemeEntriesIn(data)?.map(({ name }) => name)).toEqual(names));

it('outcome groups are written by level', () => {
  const outcome = { identifier: 'o', title: 'O', ratings: [], alignments: [] };
  const inner = { identifier: 'h', title: 'H', outcomes: [outcome], groups: [] };
  const tree = packagedOutcomeTree({ outcomes: [], groups: [{ identifier: 'g', title: 'G', outcomes: [outcome], groups: [inner] }] });
  expect(tree.levels.map((level) => level.map(({ identifier, parent }) => [identifier, parent]))).toEqual([[['g', '']], [['h', 'g']]]);
  expect(tree.outcomes).toHaveLength(1);
  expect(tree.links).toHaveLength(2);
});

it.each([
  ['web_resources/Week 1/a.txt', ['Week 1'], 'a.txt'],
  ['i_1/x/b.pdf', ['i_1', 'x'], 'b.pdf'],
])('the file %s is in its folder', (path, levels, name) =>
  expect(packagedFilePlace(path)).toEqual({ levels: levels.map((one) => ({ name: one })), name }),
);

describe('a course', () => {
  it('takes known values only', () => {
    const given = { identifier: 'c', default_view: 'chaos', license: 'cc_by', is_public: true, time_zone: 'Nowhere', flags: {} };
    expect(courseColumns(given)).toEqual({ is_public: 1, license: 'cc_by' });
    expect(
      packagedCourseSettings({
        identifier: 'c',
        flags: { home_page_announcement_limit: 99, course_color: 'red', hide_final_grades: true },
        image_url: 'http://a.edu/x.png',
      }),
    ).toEqual({ hide_final_grades: true, home_page_announcement_limit: null });
  });

  it('has tabs with plausible ids', () => {
    expect(tabsIn('[{"id":10},{"id":99},{"id":"context_external_tool_4","hidden":true},{"id":"<b>"},null]')).toEqual([
      { id: 'modules' },
      { id: 'context_external_tool_4', hidden: true },
    ]);
    expect(tabsIn('nonsense')).toBeUndefined();
  });
});
