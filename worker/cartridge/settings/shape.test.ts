import { describe, expect, it } from 'vitest';
import { BadXml } from '../xml/read';
import { type ElementShape, type Packaged, readSettings, writeSettings } from './shape';
import {
  assignmentGroupsShape,
  eventsShape,
  externalFeedsShape,
  filesShape,
  gradingStandardsShape,
  latePolicyShape,
  modulesShape,
  rubricsShape,
  topicShape,
} from './shapes';

const roundTrip = <S extends ElementShape>(shape: S, values: Packaged<S>) =>
  expect(readSettings(shape, writeSettings(shape, values))).toEqual(values);

describe('settings are the same after they are written and read', () => {
  it('modules with prerequisites, items and requirements', () =>
    roundTrip(modulesShape, {
      modules: [
        {
          identifier: 'm1',
          title: 'One & two',
          workflow_state: 'active',
          position: 1,
          unlock_at: null,
          require_sequential_progress: true,
          items: [
            { identifier: 'i1', content_type: 'WikiPage', title: 'Page', identifierref: 'p1', position: 1, new_tab: false, indent: 0 },
            { identifier: 'i2', content_type: 'ExternalUrl', url: 'https://example.edu/?a=1&b=2', position: 2, indent: 1 },
          ],
          requirements: [
            { type: 'min_score', min_score: 7.5, identifierref: 'i1' },
            { type: 'must_view', identifierref: 'i2' },
          ],
        },
        {
          identifier: 'm2',
          workflow_state: 'unpublished',
          prerequisites: [{ type: 'context_module', title: 'One & two', identifierref: 'm1' }],
          items: [],
        },
      ],
    }));

  it('assignment groups with drop rules', () =>
    roundTrip(assignmentGroupsShape, {
      groups: [
        {
          identifier: 'a',
          title: 'Homework',
          position: 1,
          group_weight: 33.3,
          rules: [
            { drop_type: 'drop_lowest', drop_count: 2 },
            { drop_type: 'never_drop', identifierref: 'x' },
          ],
        },
        { identifier: 'b', title: 'Exams', group_weight: 0 },
      ],
    }));

  it('rubrics with criteria and ratings', () =>
    roundTrip(rubricsShape, {
      rubrics: [
        {
          identifier: 'r',
          title: 'Essay',
          points_possible: 5,
          free_form_criterion_comments: false,
          criteria: [
            {
              criterion_id: '_1',
              points: 5,
              description: 'Style',
              long_description: null,
              learning_outcome_identifierref: 'o1',
              ratings: [
                { id: 'blank', description: 'Good', points: 5, criterion_id: '_1', long_description: ' with spaces ' },
                { id: 'blank_2', description: '<none>', points: 0, criterion_id: '_1' },
              ],
            },
          ],
        },
      ],
    }));

  it('events', () =>
    roundTrip(eventsShape, {
      events: [
        { identifier: 'e', title: 'Trip', description: '<p>To the &amp; museum</p>', start_at: '2026-11-23T08:00:00Z', all_day: false },
        { identifier: 'f', title: 'Day', all_day: true, all_day_date: '2026-11-24', location_name: 'Hall' },
      ],
    }));

  it('the late policy', () =>
    roundTrip(latePolicyShape, {
      identifier: 'l',
      late_submission_deduction_enabled: true,
      late_submission_deduction: 12.5,
      late_submission_interval: 'hour',
      missing_submission_deduction_enabled: false,
    }));

  it('grading standards, feeds, files and topics', () => {
    roundTrip(gradingStandardsShape, { standards: [{ identifier: 'g', version: '2', title: 'Letters', data: '[["A",0.94],["F",0]]' }] });
    roundTrip(externalFeedsShape, { feeds: [{ identifier: 'x', title: 'News', url: 'https://example.edu/a?b&c', verbosity: 'full' }] });
    roundTrip(filesShape, {
      folders: [{ path: 'Week 1/"a"', locked: true }],
      files: [{ identifier: 'f', hidden: true, unlock_at: '2026-01-01T00:00:00Z', display_name: 'A & B.pdf' }],
    });
    roundTrip(topicShape, { identifier: 't', topic_id: 'u', title: 'Hello', type: 'announcement', delayed_post_at: null, pinned: true });
  });

  it('without any', () => {
    roundTrip(modulesShape, {});
    roundTrip(filesShape, { folders: [], files: [] });
  });
});

it('of other writers: unknown elements are ignored', () =>
  expect(
    readSettings(
      modulesShape,
      '<modules xmlns="http://canvas.instructure.com/xsd/cccv1p0"><module identifier="m"><title> One </title><position>first</position><colour>red</colour></module><other/></modules>',
    ),
  ).toEqual({ modules: [{ identifier: 'm', title: 'One', position: null }] }));

it('another document is refused', () => expect(() => readSettings(eventsShape, '<modules/>')).toThrow(BadXml));
