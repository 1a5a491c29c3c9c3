import { describe, expect, it } from 'vitest';
import { BadXml } from '../xml/read';
import { type PackagedQuiz, readQuizSettings, writeQuizSettings } from './quiz';

const whole: PackagedQuiz = {
  identifier: 'g7',
  title: ' Quiz "<7>" ',
  description: '<p>One &amp; two</p>\r\n',
  shuffle_answers: true,
  scoring_policy: 'keep_average',
  hide_results: 'until_after_last_attempt',
  quiz_type: 'assignment',
  points_possible: 12.5,
  due_at: '2026-11-23T08:00:00Z',
  lock_at: null,
  unlock_at: '2026-01-01T00:00:00Z',
  access_code: 'a,b',
  ip_filter: '10.0.0.0/8,192.168.1.1',
  show_correct_answers: false,
  show_correct_answers_at: null,
  hide_correct_answers_at: '2027-01-01T23:59:59Z',
  show_correct_answers_last_attempt: true,
  anonymous_submissions: false,
  available: false,
  time_limit: 45,
  allowed_attempts: -1,
  one_question_at_a_time: true,
  cant_go_back: true,
  one_time_results: true,
  only_visible_to_overrides: false,
  assignment_group_identifierref: 'g8',
  assignment: {
    identifier: 'g9',
    title: 'Quiz',
    submission_types: ['online_quiz'],
    allowed_extensions: null,
    points_possible: 0,
    peer_reviews: false,
    workflow_state: 'published',
    post_manually: true,
  },
};

describe('settings of a quiz', () => {
  it.each<[string, PackagedQuiz]>([
    ['all of them', whole],
    ['none', { identifier: 'g1' }],
    ['those of a survey', { identifier: 'g1', quiz_type: 'survey', time_limit: null, anonymous_submissions: true }],
  ])('%s are the same after they are written and read', (_, settings) =>
    expect(readQuizSettings(writeQuizSettings(settings))).toEqual(settings),
  );

  it('have times in UTC without the zone', () => expect(writeQuizSettings(whole)).toContain('<due_at>2026-11-23T08:00:00</due_at>'));

  it('of other writers: numbers and times that are none are null, unknown ones are ignored', () =>
    expect(
      readQuizSettings(
        '<quiz identifier="a"><time_limit>long</time_limit><due_at>soon</due_at><lock_at>2026-01-01 10:00:00</lock_at><unlock_at>2026-01-01T10:00:00+02:00</unlock_at><available> True </available><other/></quiz>',
      ),
    ).toEqual({
      identifier: 'a',
      time_limit: null,
      due_at: null,
      lock_at: '2026-01-01T10:00:00Z',
      unlock_at: '2026-01-01T08:00:00Z',
      available: true,
    }));

  it('another document is refused', () => expect(() => readQuizSettings('<course/>')).toThrow(BadXml));
});
