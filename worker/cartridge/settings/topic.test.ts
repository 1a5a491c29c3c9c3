import { expect, it } from 'vitest';
import { BadXml } from '../xml/read';
import { type PackagedCourse, readCourseSettings, writeCourseSettings } from './course';
import { type PackagedOutcomes, readOutcomes, writeOutcomes } from './outcomes';
import { readTopicSettings, type TopicSettings, writeTopicSettings } from './topic';

it.each<TopicSettings>([
  { identifier: 't', topic_id: 'u', title: 'Plain', pinned: true },
  { identifier: 't', title: 'Graded', assignment: { identifier: 'a', title: 'Graded', points_possible: 5 } },
])('the settings of the topic $title are the same after they are written and read', (settings) =>
  expect(readTopicSettings(writeTopicSettings(settings))).toEqual(settings),
);

it('the settings of a course are the same after they are written and read', () => {
  const settings: PackagedCourse = {
    identifier: 'c',
    title: 'A & B',
    is_public: false,
    default_view: 'wiki',
    flags: { hide_final_grades: true, home_page_announcement_limit: 3 },
    post_manually: true,
  };
  expect(readCourseSettings(writeCourseSettings(settings))).toEqual(settings);
  expect(() => readCourseSettings('<quiz/>')).toThrow(BadXml);
});

it('outcomes are in their groups after they are written and read', () => {
  const outcome = {
    identifier: 'o',
    title: 'Reads',
    description: '<p>&amp;</p>',
    mastery_points: 3,
    ratings: [
      { description: 'Yes', points: 5 },
      { description: 'No', points: 0 },
    ],
    alignments: [{ content_type: 'AssessmentQuestionBank', content_id: 'bank', mastery_score: 0.7 }],
  };
  const outcomes: PackagedOutcomes = {
    outcomes: [{ ...outcome, identifier: 'top' }],
    groups: [
      { identifier: 'g', title: 'Group', outcomes: [outcome], groups: [{ identifier: 'h', title: 'Inner', outcomes: [], groups: [] }] },
    ],
  };
  expect(readOutcomes(writeOutcomes(outcomes))).toEqual(outcomes);
  expect(() => readOutcomes('<course/>')).toThrow(BadXml);
});
