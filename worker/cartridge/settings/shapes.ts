// The files in `course_settings` of a Canvas package, and the settings of topics, as shapes.

import type { ElementShape } from './shape';

const shape = <const S extends ElementShape>(given: S): S => given;
const identifier = ['identifier'] as const;

/** module_meta.xml. Titles of items and prerequisites are those of what they refer to. */
export const modulesShape = shape({
  name: 'modules',
  fields: {},
  lists: {
    modules: {
      of: {
        name: 'module',
        attributes: identifier,
        fields: {
          title: 'text',
          workflow_state: 'text',
          position: 'number',
          unlock_at: 'time',
          require_sequential_progress: 'bool',
          requirement_count: 'number',
          locked: 'bool',
        },
        lists: {
          prerequisites: {
            within: 'prerequisites',
            of: { name: 'prerequisite', attributes: ['type'], fields: { title: 'text', identifierref: 'text' } },
          },
          items: {
            within: 'items',
            of: {
              name: 'item',
              attributes: identifier,
              fields: {
                content_type: 'text',
                workflow_state: 'text',
                title: 'text',
                identifierref: 'text',
                url: 'text',
                lti_resource_link_lookup_uuid: 'text',
                position: 'number',
                new_tab: 'bool',
                indent: 'number',
              },
            },
          },
          requirements: {
            within: 'completionRequirements',
            of: {
              name: 'completionRequirement',
              attributes: ['type'],
              fields: { min_score: 'number', min_percentage: 'number', identifierref: 'text' },
            },
          },
        },
      },
    },
  },
});

/** assignment_groups.xml */
export const assignmentGroupsShape = shape({
  name: 'assignmentGroups',
  fields: {},
  lists: {
    groups: {
      of: {
        name: 'assignmentGroup',
        attributes: identifier,
        fields: { title: 'text', position: 'number', group_weight: 'number' },
        lists: {
          rules: {
            within: 'rules',
            of: { name: 'rule', fields: { drop_type: 'text', drop_count: 'number', identifierref: 'text' } },
          },
        },
      },
    },
  },
});

/** rubrics.xml */
export const rubricsShape = shape({
  name: 'rubrics',
  fields: {},
  lists: {
    rubrics: {
      of: {
        name: 'rubric',
        attributes: identifier,
        fields: {
          read_only: 'bool',
          title: 'text',
          reusable: 'bool',
          public: 'bool',
          points_possible: 'number',
          hide_score_total: 'bool',
          hide_points: 'bool',
          rating_order: 'text',
          free_form_criterion_comments: 'bool',
          external_identifier: 'text',
        },
        lists: {
          criteria: {
            within: 'criteria',
            of: {
              name: 'criterion',
              fields: {
                criterion_id: 'text',
                points: 'number',
                mastery_points: 'number',
                ignore_for_scoring: 'bool',
                criterion_use_range: 'bool',
                description: 'text',
                long_description: 'text',
                learning_outcome_identifierref: 'text',
                learning_outcome_external_identifier: 'text',
              },
              lists: {
                ratings: {
                  within: 'ratings',
                  of: {
                    name: 'rating',
                    fields: { description: 'text', points: 'number', criterion_id: 'text', long_description: 'text', id: 'text' },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
});

/** events.xml */
export const eventsShape = shape({
  name: 'events',
  fields: {},
  lists: {
    events: {
      of: {
        name: 'event',
        attributes: identifier,
        fields: {
          title: 'text',
          description: 'text',
          start_at: 'time',
          end_at: 'time',
          all_day: 'bool',
          all_day_date: 'text',
          location_name: 'text',
          location_address: 'text',
          series_uuid: 'text',
          rrule: 'text',
          important_dates: 'bool',
          blackout_date: 'bool',
        },
      },
    },
  },
});

/** late_policy.xml */
export const latePolicyShape = shape({
  name: 'late_policy',
  attributes: identifier,
  fields: {
    missing_submission_deduction_enabled: 'bool',
    missing_submission_deduction: 'number',
    late_submission_deduction_enabled: 'bool',
    late_submission_deduction: 'number',
    late_submission_interval: 'text',
    late_submission_minimum_percent_enabled: 'bool',
    late_submission_minimum_percent: 'number',
  },
});

/** grading_standards.xml; `data` is JSON, `[["A",0.94],…]`. */
export const gradingStandardsShape = shape({
  name: 'gradingStandards',
  fields: {},
  lists: {
    standards: {
      of: {
        name: 'gradingStandard',
        attributes: ['identifier', 'version'],
        fields: { title: 'text', data: 'text', points_based: 'bool', scaling_factor: 'number' },
      },
    },
  },
});

/** external_feeds.xml */
export const externalFeedsShape = shape({
  name: 'externalFeeds',
  fields: {},
  lists: {
    feeds: {
      of: {
        name: 'externalFeed',
        attributes: identifier,
        fields: { title: 'text', url: 'text', verbosity: 'text', header_match: 'text' },
      },
    },
  },
});

const restrictions = { locked: 'bool', hidden: 'bool', lock_at: 'time', unlock_at: 'time' } as const;

/** files_meta.xml: only what is restricted, renamed or licensed. */
export const filesShape = shape({
  name: 'fileMeta',
  fields: {},
  lists: {
    folders: { within: 'folders', of: { name: 'folder', attributes: ['path'], fields: restrictions } },
    files: {
      within: 'files',
      of: {
        name: 'file',
        attributes: identifier,
        fields: { ...restrictions, display_name: 'text', category: 'text' },
        lists: {
          usage_rights: {
            of: { name: 'usage_rights', attributes: ['use_justification'], fields: { legal_copyright: 'text', license: 'text' } },
          },
        },
      },
    },
  },
});

/** The settings of a discussion topic or announcement; its title and text are in another document. */
export const topicShape = shape({
  name: 'topicMeta',
  attributes: identifier,
  fields: {
    topic_id: 'text',
    title: 'text',
    posted_at: 'time',
    delayed_post_at: 'time',
    lock_at: 'time',
    position: 'number',
    type: 'text',
    discussion_type: 'text',
    pinned: 'bool',
    require_initial_post: 'bool',
    has_group_category: 'bool',
    group_category: 'text',
    workflow_state: 'text',
    allow_rating: 'bool',
    only_graders_can_rate: 'bool',
    sort_by_rating: 'bool',
    todo_date: 'time',
    locked: 'bool',
    attachment_identifierref: 'text',
    anonymous_state: 'text',
    is_anonymous_author: 'bool',
  },
});
