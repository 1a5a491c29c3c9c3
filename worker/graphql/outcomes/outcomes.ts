// Learning outcomes, their groups, and the scale of proficiency.

import { eq } from 'drizzle-orm';
import { learning_outcome_groups, outcome_proficiencies } from '../../domains/outcomes/table';
import { type Args, contextPath, type Graph, type GraphItem, type GraphPlace } from '../graph';
import { globalId, legacyId } from '../ids';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { placeOfContext } from '../types/contents';
import { isTrue, objectArg } from '../values';
import { proficiencyAt, proficiencyId } from './proficiency';

const groupPath = ({ json, place }: GraphItem) =>
  json.context_type === 'Global' || json.context_id === null
    ? `/global/outcome_groups/${json.id}`
    : `${contextPath(place)}/outcome_groups/${json.id}`;

export const outcomeGroupItem = (graph: Graph, json: RestJson, place: GraphPlace): GraphItem =>
  graph.item('LearningOutcomeGroup', json, place);

const outcomeItem = (graph: Graph, json: RestJson, place: GraphPlace): GraphItem =>
  graph.item('LearningOutcome', json, place, { path: `/outcomes/${json.id}` });

/** A link of REST: the entry of a connection of outcomes. */
const linkItem = (graph: Graph, json: RestJson, place: GraphPlace): GraphItem =>
  graph.item('ContentTag', { ...json, id: `${objectArg(json.outcome_group).id}:${objectArg(json.outcome).id}` }, place);

const matches = (term: unknown) => (json: RestJson) =>
  typeof term !== 'string' ||
  term === '' ||
  [objectArg(json.outcome).title, objectArg(json.outcome).description].some((text) =>
    String(text ?? '')
      .toLowerCase()
      .includes(term.toLowerCase()),
  );

async function linksOf(group: GraphItem, args: Args, graph: Graph) {
  const found = await graph.connection(
    args,
    `${groupPath(group)}/outcomes`,
    { outcome_style: 'full', outcome_group_style: 'abbrev' },
    (json) => linkItem(graph, json, group.place),
    args.searchQuery ? matches(args.searchQuery) : undefined,
  );
  const contents = found.nodes.map(({ json }) => outcomeItem(graph, json.outcome as RestJson, group.place));
  return { ...found, edges: found.edges.map(({ node, cursor }) => ({ ...node, json: { ...node.json, cursor } })), nodes: contents };
}

/** All links of a group, for its counts. */
const allLinks = async (group: GraphItem, graph: Graph) => (await graph.all(`${groupPath(group)}/outcomes`)) ?? [];

/** The ids of the outcomes of this group that the group of the argument does not link. */
async function notImported(group: GraphItem, args: Args, graph: Graph): Promise<number | null> {
  const target = await graph.load('LearningOutcomeGroup', legacyId(args.targetGroupId, 'LearningOutcomeGroup'));
  if (!target) return null;
  const idsIn = async (one: GraphItem) => (await allLinks(one, graph)).map(({ outcome }) => objectArg(outcome).id);
  const known = new Set(await idsIn(target));
  return (await idsIn(group)).filter((id) => !known.has(id)).length;
}

/** The context of an argument: `contextType: "Course", contextId: "7"`. */
const placeOfArgs = ({ contextType, contextId }: Args): GraphPlace | undefined => {
  const type = String(contextType);
  const id = legacyId(contextId, type);
  return id !== undefined && ['Course', 'Account'].includes(type) ? placeOfContext({ type, id }) : undefined;
};

/** Whether an outcome is linked in a context that the caller reads. */
async function isLinkedIn(outcome: GraphItem, args: Args, graph: Graph): Promise<boolean | null> {
  const place = placeOfArgs({ contextType: args.targetContextType, contextId: args.targetContextId });
  if (!place) return null;
  const links = await graph.all(`${contextPath(place)}/outcome_group_links`);
  return links ? links.some(({ outcome: one }) => objectArg(one).id === outcome.json.id) : null;
}

export const friendlyDescriptionOf = (outcome: GraphItem, args: Args, graph: Graph) => {
  const text = outcome.json.friendly_description;
  const place = placeOfArgs(args);
  return place && typeof text === 'string' && text !== ''
    ? graph.item('OutcomeFriendlyDescription', {
        id: `${outcome.json.id}`,
        context_id: place.course ?? place.account,
        context_type: place.course === undefined ? 'Account' : 'Course',
        description: text,
        learning_outcome_id: outcome.json.id,
      })
    : null;
};

export const outcomeObjects: TypeModule = {
  sdl: `
type OutcomeProficiency implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  contextId: ID
  contextType: String
  masteryPoints: Float
  proficiencyRatingsConnection: ProficiencyRatingConnection
}
type ProficiencyRating {
  description: String
  points: Float!
  mastery: Boolean!
  color: String
}
type LearningOutcomeRating {
  _id: ID!
  description: String
  points: Float!
  mastery: Boolean!
  color: String
}
type OutcomeFriendlyDescription implements LegacyIDInterface {
  _id: ID!
  contextId: ID!
  contextType: String!
  description: String!
  learningOutcomeId: ID!
}
type OutcomeAlignment implements LegacyIDInterface {
  _id: ID!
  contentId: ID!
  contentType: String!
  contextId: ID!
  contextType: String!
  learningOutcomeId: ID!
  title: String!
  url: String!
}
type LearningOutcome implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
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
  assessed: Boolean!
  friendlyDescription(contextId: ID!, contextType: String!): OutcomeFriendlyDescription
  alignments(contextId: ID!, contextType: String!, studentId: ID): [OutcomeAlignment!]
  isImported(targetContextId: ID!, targetContextType: String!): Boolean
  canArchive(contextId: ID!, contextType: String!): Boolean!
}
union ContentTagContent = LearningOutcome
type ContentTag implements LegacyIDInterface & Timestamped {
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  canUnlink: Boolean
  cursor: String!
  group: LearningOutcomeGroup
  node: ContentTagContent
}
type ContentTagConnection {
  edges: [ContentTag]
  nodes: [ContentTagContent]
  pageInfo: PageInfo!
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
  childGroupsCount: Int!
  outcomes(searchQuery: String, filter: String): ContentTagConnection!
  outcomesCount(searchQuery: String): Int!
  notImportedOutcomesCount(targetGroupId: ID): Int
  parentOutcomeGroup: LearningOutcomeGroup
}
`,
  resolvers: {
    OutcomeProficiency: {
      _id: (scale, _args, graph) => proficiencyId(scale, graph),
      async id(scale, _args, graph) {
        const id = await proficiencyId(scale, graph);
        return id === null ? null : globalId('OutcomeProficiency', id);
      },
      contextId: ({ place }) => place.course ?? place.account ?? null,
      contextType: ({ place }) => (place.course === undefined ? 'Account' : 'Course'),
      masteryPoints: ({ json }) => ((json.ratings ?? []) as RestJson[]).find(({ mastery }) => mastery === true)?.points ?? null,
      proficiencyRatingsConnection: (scale, args, graph) => ratingsOf(scale, args, graph),
    },
    LearningOutcome: {
      canEdit: isTrue('can_edit'),
      assessed: isTrue('assessed'),
      ratings: async (outcome, _args, graph) =>
        (((await graph.value(outcome, 'ratings')) ?? []) as RestJson[]).map((one, nth) => ({
          ...one,
          _id: `${outcome.json.id}:${nth}`,
          mastery: one.mastery === true || Number(one.points) === outcome.json.mastery_points,
        })),
      friendlyDescription: (outcome, args, graph) => friendlyDescriptionOf(outcome, args, graph),
      alignments: alignmentsOf,
      isImported: (outcome, args, graph) => isLinkedIn(outcome, args, graph),
      canArchive: () => false,
    },
    ContentTag: {
      _id: ({ json }) => json.id,
      canUnlink: isTrue('can_unlink'),
      group: ({ json, place }, _args, graph) => outcomeGroupItem(graph, json.outcome_group as RestJson, place),
      node: ({ json, place }, _args, graph) => outcomeItem(graph, json.outcome as RestJson, place),
    },
    LearningOutcomeGroup: {
      canEdit: isTrue('can_edit'),
      contextId: ({ json, place }) => json.context_id ?? place.course ?? place.account ?? null,
      contextType: ({ json, place }) =>
        json.context_type ?? (place.course !== undefined ? 'Course' : place.account !== undefined ? 'Account' : null),
      childGroups: (group, args, graph) =>
        graph.connection(args, `${groupPath(group)}/subgroups`, {}, (json) => outcomeGroupItem(graph, json, group.place)),
      childGroupsCount: async (group, _args, graph) => ((await graph.all(`${groupPath(group)}/subgroups`)) ?? []).length,
      outcomes: (group, args, graph) => linksOf(group, args, graph),
      async outcomesCount(group, args, graph) {
        const all = (await graph.all(`${groupPath(group)}/outcomes`, { outcome_style: 'full' })) ?? [];
        return all.filter(matches(args.searchQuery)).length;
      },
      notImportedOutcomesCount: (group, args, graph) => notImported(group, args, graph),
      parentOutcomeGroup: ({ json, place }, _args, graph) =>
        json.parent_outcome_group ? outcomeGroupItem(graph, json.parent_outcome_group as RestJson, place) : null,
    },
  },
  loaders: {
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
    async OutcomeProficiency(id, graph) {
      const [row] = await graph.locate<{ type: string; context: number }[]>((build) =>
        build
          .select({ type: outcome_proficiencies.context_type, context: outcome_proficiencies.context_id })
          .from(outcome_proficiencies)
          .where(eq(outcome_proficiencies.id, id)),
      );
      return row ? proficiencyAt(placeOfContext({ type: row.type, id: row.context }), graph) : null;
    },
  },
};

export function ratingsOf({ json, place }: GraphItem, args: Args, graph: Graph) {
  return graph.complete(
    args,
    ((json.ratings ?? []) as RestJson[]).map((one) => graph.item('ProficiencyRating', one, place)),
  );
}

/** What assesses the outcome, as far as REST lists it: for one student of a course, who is the caller where none is named. */
async function alignmentsOf(outcome: GraphItem, args: Args, graph: Graph) {
  const place = placeOfArgs(args);
  if (place?.course === undefined) return null;
  const student = legacyId(args.studentId, 'User') ?? graph.call.me.id;
  const answer = await graph.rest.read(`/courses/${place.course}/outcome_alignments`, { student_id: student });
  const all = ((answer?.body ?? []) as RestJson[]).filter(({ learning_outcome_id }) => learning_outcome_id === outcome.json.id);
  return all.map((one) => ({
    _id: `${one.learning_outcome_id}:${one.assessment_id}`,
    contentId: one.assignment_id ?? one.assessment_id,
    contentType: one.assignment_id === null ? 'Quiz' : 'Assignment',
    contextId: place.course,
    contextType: 'Course',
    learningOutcomeId: one.learning_outcome_id,
    title: one.title,
    url: one.url,
  }));
}
