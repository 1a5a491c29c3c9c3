// Mutations of outcomes, their groups, and the scale of proficiency.

import type { Graph, GraphPlace } from '../graph';
import { contextPath } from '../graph';
import { friendlyDescriptionOf, outcomeGroupItem } from '../outcomes/outcomes';
import { asJson, type Input, inputId, inputIdOrNone, type Mutation, missing, refuseContent, renamed } from './mutation';

/** The path of a group of outcomes; those of the whole institution have no place. @throws GraphQLError `not found` */
async function groupAt(id: number, graph: Graph): Promise<{ readonly path: string; readonly place: GraphPlace }> {
  const group = await graph.load('LearningOutcomeGroup', id);
  if (!group) throw missing();
  const isGlobal = group.place.course === undefined && group.place.account === undefined;
  return { path: `${isGlobal ? '/global' : contextPath(group.place)}/outcome_groups/${id}`, place: group.place };
}

const ratingsOf = (input: Input) =>
  Array.isArray(input.ratings) ? { ratings: (input.ratings as Input[]).map((one) => renamed(one, ['description', 'points'])) } : {};

const outcomeOf = (input: Input) => ({
  ...renamed(input, ['title', 'displayName', 'description', 'vendorGuid', 'masteryPoints', 'calculationMethod', 'calculationInt']),
  ...ratingsOf(input),
});

const outcomeFields = `displayName: String
  description: String
  vendorGuid: String
  masteryPoints: Float
  ratings: [ProficiencyRatingInput!]
  calculationMethod: String
  calculationInt: Int`;

const scaleFields = 'proficiencyRatings: [OutcomeProficiencyRatingCreate!]';

export const outcomeInputs = `
input ProficiencyRatingInput {
  description: String!
  points: Float!
}
input OutcomeProficiencyRatingCreate {
  description: String!
  points: Float!
  mastery: Boolean!
  color: String!
}
enum ProficiencyContextType {
  Account
  Course
}
`;

interface Link {
  readonly group: number;
  readonly outcome: number;
}

/** Links are named by their group and outcome, as `ContentTag` shows them: `3:12`. @throws GraphQLError `not found` */
function linksIn(input: Input, name: 'outcomeLinkIds'): Link[] {
  const ids = (input[name] ?? []) as unknown[];
  if (ids.length > 25) throw refuseContent(name, 'has more than 25 ids');
  return ids.map((id) => {
    const match = /^(\d{1,15}):(\d{1,15})$/.exec(String(id));
    if (!match) throw missing();
    return { group: Number(match[1]), outcome: Number(match[2]) };
  });
}

const setScale: Mutation['run'] = async ({ input, graph, send }) => {
  const type = input.contextType === 'Account' ? 'Account' : 'Course';
  const known = inputIdOrNone(input, 'id', 'OutcomeProficiency');
  const scale = known ? await graph.load('OutcomeProficiency', known) : undefined;
  if (known && !scale) throw missing();
  const id = scale ? undefined : inputId(input, 'contextId', type);
  const place: GraphPlace = scale ? scale.place : type === 'Account' ? { account: id } : { course: id };
  const ratings = ((input.proficiencyRatings ?? []) as Input[]).map((one) => renamed(one, ['description', 'points', 'mastery', 'color']));
  const json = asJson(await send('POST', `${contextPath(place)}/outcome_proficiency`, { ratings }));
  return { outcomeProficiency: graph.item('OutcomeProficiency', json, place) };
};

export const outcomeMutations: Readonly<Record<string, Mutation>> = {
  createLearningOutcome: {
    input: `groupId: ID!\n  title: String!\n  ${outcomeFields}`,
    payload: 'learningOutcome: LearningOutcome',
    async run({ input, graph, send }) {
      const { path, place } = await groupAt(inputId(input, 'groupId', 'LearningOutcomeGroup'), graph);
      const link = asJson(await send('POST', `${path}/outcomes`, { ...outcomeOf(input), outcome_style: 'full' }));
      const { id } = asJson(link.outcome);
      return { learningOutcome: graph.item('LearningOutcome', asJson(link.outcome), place, { path: `/outcomes/${id}` }) };
    },
  },
  updateLearningOutcome: {
    input: `id: ID!\n  title: String!\n  ${outcomeFields}`,
    payload: 'learningOutcome: LearningOutcome',
    async run({ input, graph, send }) {
      const id = inputId(input, 'id', 'LearningOutcome');
      return { learningOutcome: graph.item('LearningOutcome', asJson(await send('PUT', `/outcomes/${id}`, outcomeOf(input)))) };
    },
  },
  setFriendlyDescription: {
    input: 'contextId: ID!\n  contextType: String!\n  description: String!\n  outcomeId: ID!',
    payload: 'outcomeFriendlyDescription: OutcomeFriendlyDescription',
    async run({ input, graph, send }) {
      const id = inputId(input, 'outcomeId', 'LearningOutcome');
      const outcome = await graph.load('LearningOutcome', id);
      if (!outcome) throw missing();
      const { context_type, context_id } = outcome.json;
      const type = input.contextType === 'Account' ? 'Account' : 'Course';
      // An outcome has one friendly description, wherever it is used.
      if (context_type !== input.contextType || context_id !== inputId(input, 'contextId', type))
        throw refuseContent('contextId', 'is not the context of the outcome');
      const json = asJson(await send('PUT', `/outcomes/${id}`, { friendly_description: input.description }));
      return { outcomeFriendlyDescription: friendlyDescriptionOf(graph.item('LearningOutcome', json), input, graph) };
    },
  },
  createLearningOutcomeGroup: {
    input: 'id: ID!\n  title: String!\n  description: String\n  vendorGuid: String',
    payload: 'learningOutcomeGroup: LearningOutcomeGroup',
    async run({ input, graph, send }) {
      // The id is that of the parent.
      const { path, place } = await groupAt(inputId(input, 'id', 'LearningOutcomeGroup'), graph);
      const json = asJson(await send('POST', `${path}/subgroups`, renamed(input, ['title', 'description', 'vendorGuid'])));
      return { learningOutcomeGroup: outcomeGroupItem(graph, json, place) };
    },
  },
  updateLearningOutcomeGroup: {
    input: 'id: ID!\n  title: String\n  description: String\n  vendorGuid: String\n  parentOutcomeGroupId: ID',
    payload: 'learningOutcomeGroup: LearningOutcomeGroup',
    async run({ input, graph, send }) {
      const { path, place } = await groupAt(inputId(input, 'id', 'LearningOutcomeGroup'), graph);
      const parent = inputIdOrNone(input, 'parentOutcomeGroupId', 'LearningOutcomeGroup');
      const body = { ...renamed(input, ['title', 'description', 'vendorGuid']), ...(parent ? { parent_outcome_group_id: parent } : {}) };
      return { learningOutcomeGroup: outcomeGroupItem(graph, asJson(await send('PUT', path, body)), place) };
    },
  },
  importOutcomes: {
    input: `groupId: ID
  outcomeId: ID
  sourceContextId: ID
  sourceContextType: String
  targetContextId: ID
  targetContextType: String
  targetGroupId: ID`,
    payload: 'progress: Progress',
    async run({ input, graph, send }) {
      const [group, outcome] = [
        inputIdOrNone(input, 'groupId', 'LearningOutcomeGroup'),
        inputIdOrNone(input, 'outcomeId', 'LearningOutcome'),
      ];
      if (!group === !outcome) throw refuseContent('groupId', 'give either groupId or outcomeId');
      const { path } = await groupAt(await targetOf(input, graph), graph);
      if (outcome) {
        await send('PUT', `${path}/outcomes/${outcome}`);
        return { progress: null };
      }
      const progress = asJson(await send('POST', `${path}/import`, { source_outcome_group_id: group, async: true }));
      return { progress: graph.item('Progress', progress) };
    },
  },
  moveOutcomeLinks: {
    input: 'groupId: ID!\n  outcomeLinkIds: [ID!]!',
    payload: 'movedOutcomeLinks: [ContentTag!]\n  movedOutcomeLinkIds: [ID!]!',
    async run({ input, graph, send }) {
      const target = inputId(input, 'groupId', 'LearningOutcomeGroup');
      const { path, place } = await groupAt(target, graph);
      const moved = [];
      for (const { group, outcome } of linksIn(input, 'outcomeLinkIds')) {
        const link = asJson(await send('PUT', `${path}/outcomes/${outcome}`, { move_from: group, outcome_style: 'full' }));
        moved.push(graph.item('ContentTag', { ...link, id: `${target}:${outcome}`, cursor: '' }, place));
      }
      return { movedOutcomeLinks: moved, movedOutcomeLinkIds: moved.map(({ json }) => json.id) };
    },
  },
  deleteOutcomeLinks: {
    input: 'ids: [ID!]!',
    payload: 'deletedOutcomeLinkIds: [ID!]!',
    async run({ input, graph, send }) {
      const links = linksIn({ outcomeLinkIds: input.ids }, 'outcomeLinkIds');
      for (const { group, outcome } of links) {
        const { path } = await groupAt(group, graph);
        await send('DELETE', `${path}/outcomes/${outcome}`);
      }
      return { deletedOutcomeLinkIds: links.map(({ group, outcome }) => `${group}:${outcome}`) };
    },
  },
  createOutcomeProficiency: {
    input: `contextId: ID!\n  contextType: ProficiencyContextType!\n  ${scaleFields}`,
    payload: 'outcomeProficiency: OutcomeProficiency',
    run: setScale,
  },
  updateOutcomeProficiency: {
    input: `id: ID!\n  ${scaleFields}`,
    payload: 'outcomeProficiency: OutcomeProficiency',
    run: setScale,
  },
};

/** The group that an import goes to: that of the input, or the root of its context. */
async function targetOf(input: Input, graph: Graph): Promise<number> {
  const named = inputIdOrNone(input, 'targetGroupId', 'LearningOutcomeGroup');
  if (named) return named;
  const type = input.targetContextType === 'Account' ? 'Account' : 'Course';
  const id = inputId(input, 'targetContextId', type);
  const root = await graph.one('LearningOutcomeGroup', `/${type === 'Account' ? 'accounts' : 'courses'}/${id}/root_outcome_group`);
  if (!root) throw missing();
  return root.json.id as number;
}
