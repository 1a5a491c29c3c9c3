// Queries of the graph written from its schema: every field of an object, and of the objects next to it.

import { schemaOf } from '@carrel/worker/graphql/schema';
import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { FullScene } from './full_scene';

const typeNamed = (name: string): GraphQLNamedType => schemaOf().getType(name) as GraphQLNamedType;

type AnyField = GraphQLField<unknown, unknown>;
const fieldsOf = (type: GraphQLNamedType): AnyField[] =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument)) : [];

/** The names of the fields of a type that are values. */
export const leavesOf = (name: string): string[] =>
  fieldsOf(typeNamed(name)).flatMap(({ name: field, type }) => (isLeafType(getNamedType(type)) ? [field] : []));

/** The values of an object, with those of the objects that are no types of their own in REST. Aliased, because types of a union may differ in a field. */
function values(type: GraphQLNamedType, levels = 0): string {
  if (isAbstractType(type)) {
    const parts = schemaOf()
      .getPossibleTypes(type)
      .map(
        (one) =>
          `... on ${one.name} { ${fieldsOf(one)
            .flatMap(({ name, type: of }) => (isLeafType(getNamedType(of)) ? [`${one.name}_${name}: ${name}`] : []))
            .join(' ')} }`,
      );
    return `__typename ${parts.join(' ')}`;
  }
  const parts = fieldsOf(type).flatMap((field) => {
    const named = getNamedType(field.type);
    if (isLeafType(named)) return [field.name];
    return levels > 0 ? [`${field.name} { ${inside(named, levels - 1)} }`] : [];
  });
  return ['__typename', ...parts].join(' ');
}

const inside = (type: GraphQLNamedType, levels = 0): string =>
  type.name.endsWith('Connection')
    ? `nodes { ${values(getNamedType((fieldsOf(type).find(({ name }) => name === 'nodes') as AnyField).type), levels)} }`
    : values(type, levels);

const size = (text: string) => text.split(/\s+/).filter((word) => /^\w/.test(word)).length;

/** Below the most that the service accepts. */
const mostFields = 500;

/** Selections that together ask for every field of a type, and the values of the objects that its fields name. */
export function selectionsOf(name: string): string[] {
  const type = typeNamed(name);
  const parts = [
    values(type),
    ...fieldsOf(type).flatMap((field) => {
      const named = getNamedType(field.type);
      return isLeafType(named) ? [] : [`${field.name} { ${inside(named)} }`];
    }),
  ];
  const found: string[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (last !== undefined && size(last) + size(part) <= mostFields) found[found.length - 1] = `${last} ${part}`;
    else found.push(part);
  }
  return found;
}

/** The objects of the scene, by the types of the graph: those that everyone in the course reads, and those that are hidden from some. */
export const objectsIn = (scene: FullScene): readonly (readonly [type: string, id: number])[] => {
  const { course, branch, section2, section3, student, student2, teacher, ids } = scene;
  const most = 2 ** 26;
  return [
    ['Account', 1],
    ['Account', branch.id],
    ['Course', course.id],
    ['Course', ids.unpublishedCourse],
    ['Section', course.section_id],
    ['Section', section2],
    ['Section', section3],
    ['User', student.id],
    ['User', student2.id],
    ['User', teacher.id],
    ['Enrollment', ids.enrollment],
    ['Enrollment', scene.enrollment_ids.student2],
    ...[ids.assignment, ids.emptyAssignment, ids.moderated, ids.hiddenAssignment, ids.notForStudent].map(
      (id) => ['Assignment', id] as const,
    ),
    ['AssignmentGroup', ids.assignment_group],
    ...[ids.submission, ids.othersSubmission, ids.assignment * most + student2.id, ids.notForStudent * most + student2.id].map(
      (id) => ['Submission', id] as const,
    ),
    ['Module', ids.module],
    ['Module', ids.hiddenModule],
    ...[ids.item, ids.doneItem, ids.hiddenItem, ids.itemOfHidden].map((id) => ['ModuleItem', id] as const),
    ['Page', ids.page],
    ['Page', ids.hiddenPage],
    ['Quiz', ids.quiz],
    ...[ids.file, ids.hiddenFile, ids.fileInHidden, ids.ownFile, ids.othersFile, ids.groupFile, ids.otherFile].map(
      (id) => ['File', id] as const,
    ),
    ...[ids.folder, ids.hiddenFolder, ids.ownFolder, ids.othersFolder, ids.groupFolder, ids.otherFolder].map(
      (id) => ['Folder', id] as const,
    ),
    ...[ids.topic, ids.hiddenTopic, ids.announcement, ids.later, ids.elsewhereAnnounced, ids.postFirst, ids.groupTopic, ids.otherTopic].map(
      (id) => ['Discussion', id] as const,
    ),
    ...[ids.entry, ids.reply, ids.hiddenEntry, ids.groupEntry].map((id) => ['DiscussionEntry', id] as const),
    ['Group', ids.group],
    ['Group', ids.otherGroup],
    ['GroupSet', ids.groupCategory],
    ['Rubric', ids.rubric],
    ['Rubric', ids.accountRubric],
    ['LearningOutcome', ids.outcome],
    ['LearningOutcomeGroup', ids.outcomeGroup],
    ['Term', ids.term],
    ['GradingPeriod', ids.period],
    ['GradingPeriod', ids.coursePeriod],
    ['GradingPeriodGroup', ids.periodSet],
    ['Conversation', ids.conversation],
    ['Conversation', ids.othersConversation],
    ['Progress', ids.progress],
  ];
};

/** Asks for everything about an object. */
export const queriesAbout = (type: string, id: number | string): string[] =>
  selectionsOf(type).map((selection) => `{ node(id: "${btoa(`${type}-${id}`)}") { ... on ${type} { ${selection} } } }`);
