// Rubrics, assessments and outcomes.

import { eq } from 'drizzle-orm';
import { learning_outcome_groups } from '../../domains/outcomes/table';
import { rubrics } from '../../domains/rubrics/table';
import type { Args, Graph, GraphItem } from '../graph';
import { contextPath } from '../graph';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { isTrue } from '../values';
import { placeOfContext } from './contents';
import { userItem } from './users';

const criteriaOf = ({ json, place }: GraphItem, _args: Args, graph: Graph) =>
  ((json.data ?? json.criteria ?? []) as RestJson[]).map((one) => graph.item('RubricCriterion', { ...one, rubric_id: json.id }, place));

const groupPath = ({ json, place }: GraphItem) => `${contextPath(place)}/outcome_groups/${json.id}`;
const ofGroup = (graph: Graph, json: RestJson, place: GraphItem['place']) => graph.item('LearningOutcomeGroup', json, place);

export const rubricTypes: TypeModule = {
  sdl: `
enum RubricAssessmentType {
  grading
  peer_review
  provisional_grade
  self_assessment
}
type Rubric implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  title: String
  pointsPossible: Float
  criteria: [RubricCriterion!]!
  criteriaCount: Int!
  freeFormCriterionComments: Boolean!
  hidePoints: Boolean
  hideScoreTotal: Boolean!
  buttonDisplay: String
  ratingOrder: String
  workflowState: String
}
type RubricCriterion {
  _id: ID!
  description: String
  longDescription: String
  points: Float
  masteryPoints: Float
  criterionUseRange: Boolean!
  ignoreForScoring: Boolean!
  learningOutcomeId: ID
  outcome: LearningOutcome
  ratings: [RubricRating!]
}
type RubricRating {
  _id: ID!
  description: String!
  longDescription: String
  points: Float!
  rubricId: ID
}
type RubricAssessment implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  score: Float
  assessmentType: RubricAssessmentType!
  artifactAttempt: Int
  assessor: User
  user: User
  assessmentRatings: [RubricAssessmentRating!]
}
type RubricAssessmentRating {
  _id: ID
  points: Float
  comments: String
  commentsEnabled: Boolean!
  description: String
  criterionId: ID
  rubricAssessmentId: ID!
}
type OutcomeProficiency {
  proficiencyRatingsConnection: ProficiencyRatingConnection
}
type ProficiencyRating {
  description: String
  points: Float!
  mastery: Boolean!
  color: String
}
type LearningOutcomeRating {
  description: String
  points: Float!
  mastery: Boolean
  color: String
}
type LearningOutcome implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  title: String!
  displayName: String
  description: String
  contextId: ID
  contextType: String
  calculationMethod: String
  calculationInt: Int
  masteryPoints: Float
  pointsPossible: Float
  ratings: [LearningOutcomeRating!]
  vendorGuid: String
  canEdit: Boolean!
  assessed: Boolean
}
type LearningOutcomeGroup implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  title: String!
  description: String
  contextId: ID
  contextType: String
  vendorGuid: String
  canEdit: Boolean!
  childGroups: LearningOutcomeGroupConnection
  outcomes: LearningOutcomeConnection
  parentOutcomeGroup: LearningOutcomeGroup
}
`,
  resolvers: {
    Rubric: {
      criteria: criteriaOf,
      criteriaCount: (rubric) => ((rubric.json.data ?? rubric.json.criteria ?? []) as RestJson[]).length,
      freeFormCriterionComments: isTrue('free_form_criterion_comments'),
      hideScoreTotal: isTrue('hide_score_total'),
    },
    RubricCriterion: {
      criterionUseRange: isTrue('criterion_use_range'),
      ignoreForScoring: isTrue('ignore_for_scoring'),
      outcome: ({ json }, _args, graph, info) => graph.reference('LearningOutcome', json.learning_outcome_id, info),
      ratings: ({ json, place }, _args, graph) =>
        ((json.ratings ?? []) as RestJson[]).map((one) => graph.item('RubricRating', { ...one, rubric_id: json.rubric_id }, place)),
    },
    RubricAssessment: {
      assessor: ({ json, place }, _args, graph) =>
        userItem(graph, json.assessor_id === null ? undefined : { id: json.assessor_id, name: json.assessor_name }, place),
      user: ({ json, place }, _args, graph, info) =>
        json.user_id === undefined || place.course === undefined
          ? null
          : graph.reference('User', json.user_id, info, () =>
              graph.one('User', `/courses/${place.course}/users/${json.user_id}`, {}, place),
            ),
      assessmentRatings: ({ json }) =>
        ((json.data ?? json.ratings ?? []) as RestJson[]).map((one) => ({
          _id: one.id,
          points: one.points,
          comments: one.comments,
          commentsEnabled: one.comments_enabled === true,
          description: one.description,
          criterionId: one.criterion_id,
          rubricAssessmentId: json.id,
        })),
    },
    OutcomeProficiency: {
      proficiencyRatingsConnection: ({ json, place }, args, graph) =>
        graph.complete(
          args,
          ((json.ratings ?? []) as RestJson[]).map((one) => graph.item('ProficiencyRating', one, place)),
        ),
    },
    LearningOutcome: { canEdit: isTrue('can_edit') },
    LearningOutcomeGroup: {
      canEdit: isTrue('can_edit'),
      childGroups: (group, args, graph) =>
        graph.connection(args, `${groupPath(group)}/subgroups`, {}, (json) => ofGroup(graph, json, group.place)),
      outcomes: (group, args, graph) =>
        graph.connection(args, `${groupPath(group)}/outcomes`, { outcome_style: 'full' }, (json) =>
          graph.item('LearningOutcome', json.outcome as RestJson, group.place),
        ),
      parentOutcomeGroup: ({ json, place }, _args, graph) =>
        json.parent_outcome_group ? ofGroup(graph, json.parent_outcome_group as RestJson, place) : null,
    },
  },
  loaders: {
    async Rubric(id, graph) {
      const [row] = await graph.locate<{ type: string; context: number }[]>((build) =>
        build.select({ type: rubrics.context_type, context: rubrics.context_id }).from(rubrics).where(eq(rubrics.id, id)),
      );
      const place = row && placeOfContext({ type: row.type, id: row.context });
      return place ? graph.one('Rubric', `${contextPath(place)}/rubrics/${id}`, {}, place) : null;
    },
    LearningOutcome: (id, graph) => graph.one('LearningOutcome', `/outcomes/${id}`),
    async LearningOutcomeGroup(id, graph) {
      const [row] = await graph.locate<{ type: string; context: number }[]>((build) =>
        build
          .select({ type: learning_outcome_groups.context_type, context: learning_outcome_groups.context_id })
          .from(learning_outcome_groups)
          .where(eq(learning_outcome_groups.id, id)),
      );
      if (!row) return null;
      if (row.type === 'Global') return graph.one('LearningOutcomeGroup', `/global/outcome_groups/${id}`);
      const place = placeOfContext({ type: row.type, id: row.context });
      return graph.one('LearningOutcomeGroup', `${contextPath(place)}/outcome_groups/${id}`, {}, place);
    },
  },
};
