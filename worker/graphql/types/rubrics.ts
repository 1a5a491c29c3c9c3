// Rubrics, their associations and assessments.

import { and, eq } from 'drizzle-orm';
import { rubric_associations } from '../../domains/rubric_associations/table';
import { rubrics } from '../../domains/rubrics/table';
import type { Args, Graph, GraphItem, Resolvers } from '../graph';
import { contextPath } from '../graph';
import { globalId } from '../ids';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { escapedHtml, isTrue, key, objectArg } from '../values';
import { placeOfContext } from './contents';
import { userItem } from './users';

const criteriaOf = ({ json, place }: GraphItem, _args: Args, graph: Graph) =>
  ((json.data ?? json.criteria ?? []) as RestJson[]).map((one) => graph.item('RubricCriterion', { ...one, rubric_id: json.id }, place));

/** What a rubric of a course or account includes for those who manage rubrics; empty for others. */
async function partsOf({ json, place }: GraphItem, part: 'associations' | 'assessments', graph: Graph): Promise<RestJson[]> {
  if (json.id === undefined) return [];
  const answer = await graph.rest.read(`${contextPath(place)}/rubrics/${json.id}`, { include: [part] });
  return (objectArg(answer?.body)[part] ?? []) as RestJson[];
}

/** The criterion of the rubric of the assignment that was assessed. */
async function criterionOf(id: unknown, place: GraphItem['place'], graph: Graph): Promise<GraphItem | null> {
  if (place.course === undefined || place.assignment === undefined) return null;
  const assignment = await graph.one('Assignment', `/courses/${place.course}/assignments/${place.assignment}`, {}, place);
  const found = ((assignment?.json.rubric ?? []) as RestJson[]).find((one) => one.id === id);
  return found ? graph.item('RubricCriterion', { ...found, rubric_id: objectArg(assignment?.json.rubric_settings).id }, place) : null;
}

/** The id of the use of a rubric for grading, which an assignment does not show. */
async function associationId({ json, place }: GraphItem, graph: Graph): Promise<number | null> {
  if (json.id !== undefined) return json.id as number;
  const [row] = await graph.locate<{ id: number }[]>((build) =>
    build
      .select({ id: rubric_associations.id })
      .from(rubric_associations)
      .where(
        and(
          eq(rubric_associations.association_type, 'Assignment'),
          eq(rubric_associations.association_id, place.assignment ?? 0),
          eq(rubric_associations.purpose, 'grading'),
          eq(rubric_associations.workflow_state, 'active'),
        ),
      ),
  );
  return row?.id ?? null;
}

const associationIds: Resolvers = {
  _id: (association, _args, graph) => associationId(association, graph),
  async id(association, _args, graph) {
    const id = await associationId(association, graph);
    return id === null ? null : globalId('RubricAssociation', id);
  },
};

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
  hasRubricAssociations: Boolean
  unassessed: Boolean!
  rubricAssociationForContext: RubricAssociation
}
type RubricAssociation implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  associationId: ID
  associationType: String
  hidePoints: Boolean!
  hideScoreTotal: Boolean!
  hideOutcomeResults: Boolean!
  savedComments: JSON
  useForGrading: Boolean!
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
  rubricAssociation: RubricAssociation
  updatedAt: DateTime
  assessmentRatings: [RubricAssessmentRating!]
}
type RubricAssessmentRating {
  _id: ID
  points: Float
  comments: String
  commentsHtml: String
  commentsEnabled: Boolean!
  description: String
  criterionId: ID
  criterion: RubricCriterion
  outcome: LearningOutcome
  artifactAttempt: Int!
  rubricAssessmentId: ID!
}
`,
  resolvers: {
    Rubric: {
      unassessed: async (rubric, _args, graph) => (await partsOf(rubric, 'assessments', graph)).length === 0,
      hasRubricAssociations: async (rubric, _args, graph) =>
        rubric.json.has_rubric_associations ?? (await partsOf(rubric, 'associations', graph)).length > 0,
      async rubricAssociationForContext(rubric, _args, graph) {
        const { course, account } = rubric.place;
        const [type, id] = course === undefined ? ['Account', account] : ['Course', course];
        const own = (await partsOf(rubric, 'associations', graph)).find(
          ({ association_type, association_id }) => association_type === type && association_id === id,
        );
        return own ? graph.item('RubricAssociation', own, rubric.place) : null;
      },
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
    RubricAssociation: {
      ...associationIds,
      hidePoints: isTrue('hide_points'),
      hideScoreTotal: isTrue('hide_score_total'),
      hideOutcomeResults: isTrue('hide_outcome_results'),
      useForGrading: isTrue('use_for_grading'),
      savedComments: key('summary_data'),
    },
    RubricAssessment: {
      rubricAssociation: ({ json, place }, _args, graph) =>
        graph.item('RubricAssociation', (json.rubric_association as RestJson | undefined) ?? { id: json.rubric_association_id }, place),
      assessor: ({ json, place }, _args, graph) =>
        userItem(graph, json.assessor_id === null ? undefined : { id: json.assessor_id, name: json.assessor_name }, place),
      user: ({ json, place }, _args, graph, info) =>
        json.user_id === undefined || place.course === undefined
          ? null
          : graph.reference('User', json.user_id, info, () =>
              graph.one('User', `/courses/${place.course}/users/${json.user_id}`, {}, place),
            ),
      assessmentRatings: ({ json, place }, _args, graph) =>
        ((json.data ?? json.ratings ?? []) as RestJson[]).map((one) => ({
          _id: one.id,
          points: one.points,
          comments: one.comments,
          commentsHtml: escapedHtml(one.comments),
          criterion: () => criterionOf(one.criterion_id, place, graph),
          outcome: () => graph.load('LearningOutcome', one.learning_outcome_id ?? null),
          artifactAttempt: json.artifact_attempt ?? 0,
          commentsEnabled: one.comments_enabled === true,
          description: one.description,
          criterionId: one.criterion_id,
          rubricAssessmentId: json.id,
        })),
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
  },
};
