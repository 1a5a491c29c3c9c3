// The plan of a copy: the selected items, in steps. Pure, so that it can be stored and resumed.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type Choice, type CopiedKind, type CopyStep, copiedKinds } from './table';

interface Thing {
  readonly id: number;
  /** Files that its HTML embeds or links to; read only for partial copies. */
  readonly file_ids?: readonly number[];
}

/** The content of the source course, and the dependencies of each item. */
export interface Inventory {
  readonly external_tool: readonly Thing[];
  readonly folder: readonly (Thing & { readonly depth: number; readonly parent_folder_id: number | null })[];
  readonly file: readonly (Thing & { readonly folder_id: number })[];
  readonly assignment_group: readonly Thing[];
  readonly grading_standard: readonly Thing[];
  readonly assignment: readonly (Thing & {
    readonly assignment_group_id: number;
    readonly grading_standard_id: number | null;
    readonly document_id?: number | null;
  })[];
  /** The outcomes that it assesses, as JSON. */
  readonly question_bank: readonly (Thing & { readonly outcome_ids?: string | null })[];
  readonly quiz: readonly (Thing & { readonly assignment_id: number | null })[];
  readonly quiz_group: readonly (Thing & { readonly quiz_id: number; readonly question_bank_id: number | null })[];
  readonly quiz_question: readonly (Thing & { readonly quiz_id: number | null; readonly question_bank_id: number | null })[];
  readonly new_quiz_item: readonly (Thing & {
    readonly new_quiz_id: number;
    readonly question_bank_id: number | null;
    /** The bank of the question that it presents. */
    readonly entry_bank_id: number | null;
  })[];
  readonly learning_outcome: readonly Thing[];
  readonly outcome_group: readonly Thing[];
  /** The outcomes that its criteria assess, as JSON. */
  readonly rubric: readonly (Thing & { readonly outcome_ids?: string | null })[];
  readonly rubric_association: readonly (Thing & {
    readonly rubric_id: number;
    readonly association_type: string;
    readonly association_id: number;
  })[];
  readonly page: readonly Thing[];
  readonly discussion_topic: readonly (Thing & {
    readonly assignment_id: number | null;
    readonly attachment_id: number | null;
    readonly is_announcement: boolean | number;
  })[];
  readonly calendar_event: readonly Thing[];
  readonly module: readonly Thing[];
  readonly module_item: readonly (Thing & { readonly module_id: number; readonly type: string; readonly content_id: number | null })[];
}

type Chosen = Readonly<Record<CopiedKind, ReadonlySet<number>>>;

/** The kind of a module item's content; none for links and headings. */
export const kindOfItem: Readonly<Record<string, CopiedKind>> = {
  File: 'file',
  Page: 'page',
  Assignment: 'assignment',
  Discussion: 'discussion_topic',
  Quiz: 'quiz',
  ExternalTool: 'external_tool',
};

export const isEverything = ({ whole, items }: Choice): boolean => whole === undefined && items === undefined;

const textual = [
  'learning_outcome',
  'assignment',
  'quiz',
  'quiz_question',
  'new_quiz_item',
  'page',
  'discussion_topic',
  'calendar_event',
] as const;

/** The items that the choice names, alone or by their kind. */
function namedBy(choice: Choice, inventory: Inventory): Record<CopiedKind, Set<number>> {
  const all = isEverything(choice);
  const isWhole = (kind: CopiedKind, thing: Thing) => {
    const isAnnouncement = kind === 'discussion_topic' && (thing as Inventory['discussion_topic'][number]).is_announcement;
    return all || choice.whole?.includes(isAnnouncement ? 'announcement' : kind) === true;
  };
  return Object.fromEntries(
    copiedKinds.map((kind) => {
      if (choice.without?.includes(kind)) return [kind, new Set()];
      const named = new Set(choice.items?.[kind]);
      return [kind, new Set(inventory[kind].filter((thing) => isWhole(kind, thing) || named.has(thing.id)).map(({ id }) => id))];
    }),
  ) as Record<CopiedKind, Set<number>>;
}

/** Adds the items of modules, and their content. */
function addContent(chosen: Record<CopiedKind, Set<number>>, { module_item }: Inventory, { without = [] }: Choice): void {
  for (const { id, module_id, type, content_id } of module_item) {
    if (chosen.module.has(module_id)) chosen.module_item.add(id);
    const kind = lookUp(kindOfItem, type);
    if (kind && content_id !== null && chosen.module_item.has(id) && !without.includes(kind)) chosen[kind].add(content_id);
  }
}

/** Adds the assignment of a graded topic or quiz, and the topic or quiz of its assignment. */
function addGraded(chosen: Record<CopiedKind, Set<number>>, inventory: Inventory): void {
  for (const kind of ['discussion_topic', 'quiz'] as const)
    for (const { id, assignment_id } of inventory[kind]) {
      if (assignment_id === null) continue;
      if (chosen.assignment.has(assignment_id)) chosen[kind].add(id);
      if (chosen[kind].has(id)) chosen.assignment.add(assignment_id);
    }
}

/** Adds the groups of quizzes with the banks that they draw from, and the questions of quizzes and banks. */
function addQuestions(chosen: Record<CopiedKind, Set<number>>, { quiz_group, quiz_question }: Inventory): void {
  for (const { id, quiz_id, question_bank_id } of quiz_group) {
    if (!chosen.quiz.has(quiz_id)) continue;
    chosen.quiz_group.add(id);
    // The id of an account's bank is in no inventory.
    if (question_bank_id !== null) chosen.question_bank.add(question_bank_id);
  }
  for (const { id, quiz_id, question_bank_id } of quiz_question)
    if (quiz_id !== null ? chosen.quiz.has(quiz_id) : question_bank_id !== null && chosen.question_bank.has(question_bank_id))
      chosen.quiz_question.add(id);
}

/** Adds the items of New Quizzes with the banks that they draw from. */
function addItems(chosen: Record<CopiedKind, Set<number>>, { new_quiz_item }: Inventory): void {
  for (const { id, new_quiz_id, question_bank_id, entry_bank_id } of new_quiz_item) {
    if (!chosen.assignment.has(new_quiz_id)) continue;
    chosen.new_quiz_item.add(id);
    for (const bank of [question_bank_id, entry_bank_id]) if (bank !== null) chosen.question_bank.add(bank);
  }
}

/** Adds the rubrics of assignments, and the bookmarks of rubrics. */
function addRubrics(chosen: Record<CopiedKind, Set<number>>, { rubric_association }: Inventory): void {
  for (const { id, rubric_id, association_type, association_id } of rubric_association) {
    if (association_type !== 'Assignment') continue;
    if (!chosen.assignment.has(association_id)) continue;
    chosen.rubric_association.add(id);
    chosen.rubric.add(rubric_id);
  }
  for (const { id, rubric_id, association_type } of rubric_association)
    if (association_type !== 'Assignment' && chosen.rubric.has(rubric_id)) chosen.rubric_association.add(id);
}

/** Adds the outcomes that rubrics and question banks assess. */
function addOutcomes(chosen: Record<CopiedKind, Set<number>>, { rubric, question_bank, learning_outcome }: Inventory): void {
  const known = new Set(learning_outcome.map(({ id }) => id));
  const chosenOnes = [
    ...rubric.filter(({ id }) => chosen.rubric.has(id)),
    ...question_bank.filter(({ id }) => chosen.question_bank.has(id)),
  ];
  for (const { outcome_ids } of chosenOnes)
    for (const outcome of JSON.parse(outcome_ids || '[]') as number[]) if (known.has(outcome)) chosen.learning_outcome.add(outcome);
}

/** Adds attachments, documents to annotate, and the files that texts embed or link to. */
function addFiles(chosen: Record<CopiedKind, Set<number>>, inventory: Inventory): void {
  for (const { id, document_id } of inventory.assignment) if (document_id && chosen.assignment.has(id)) chosen.file.add(document_id);
  for (const { id, attachment_id } of inventory.discussion_topic)
    if (attachment_id !== null && chosen.discussion_topic.has(id)) chosen.file.add(attachment_id);
  for (const kind of textual)
    for (const { id, file_ids = [] } of inventory[kind]) if (chosen[kind].has(id)) for (const file of file_ids) chosen.file.add(file);
}

/** Adds the groups and grading standards of assignments, and the folders above files. */
function addParents(chosen: Record<CopiedKind, Set<number>>, inventory: Inventory): void {
  for (const { id, assignment_group_id, grading_standard_id } of inventory.assignment) {
    if (!chosen.assignment.has(id)) continue;
    chosen.assignment_group.add(assignment_group_id);
    // The id of an account's standard is in no inventory.
    if (grading_standard_id !== null) chosen.grading_standard.add(grading_standard_id);
  }
  const parents = new Map(inventory.folder.map(({ id, parent_folder_id }) => [id, parent_folder_id]));
  for (const { id, folder_id } of inventory.file)
    if (chosen.file.has(id)) for (let at: number | null | undefined = folder_id; at; at = parents.get(at)) chosen.folder.add(at);
}

/** The selected items and their dependencies: a module includes its items' content, a graded topic its assignment and vice versa, HTML its files. */
function chosenOf(inventory: Inventory, choice: Choice): Chosen {
  const chosen = namedBy(choice, inventory);
  if (!choice.alone)
    for (const add of [addContent, addGraded, addItems, addQuestions, addRubrics, addOutcomes, addFiles, addParents])
      add(chosen, inventory, choice);
  return chosen;
}

const perStep = 100;
const perStepOfTexts = 20;
/** Kinds whose rows refer to rows of the same or a later kind. */
const referring: readonly CopiedKind[] = [
  'assignment_group',
  'module',
  'outcome_group',
  'learning_outcome',
  'question_bank',
  'quiz_question',
  'new_quiz_item',
];

const inChunks = (ids: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));

/** The steps of a copy, in order. */
export function copyPlanOf(inventory: Inventory, choice: Choice): CopyStep[] {
  const chosen = chosenOf(inventory, choice);
  const idsOf = (kind: CopiedKind) => inventory[kind].map(({ id }) => id).filter((id) => chosen[kind].has(id));
  const steps = (does: 'copy' | 'texts' | 'refer', kind: CopiedKind, size: number): CopyStep[] =>
    // A folder is created after its parent.
    (kind === 'folder' ? byDepth(inventory.folder).map((level) => level.filter((id) => chosen.folder.has(id))) : [idsOf(kind)])
      .flatMap((ids) => inChunks(ids, size))
      .map((ids) => ({ does, kind, ids }));
  const all = isEverything(choice);
  return [
    ...copiedKinds.flatMap((kind) => steps('copy', kind, perStep)),
    ...textual.flatMap((kind) => steps('texts', kind, perStepOfTexts)),
    ...referring.flatMap((kind) => steps('refer', kind, perStep)),
    ...[...copiedKinds]
      .reverse()
      .flatMap((kind) => inChunks(choice.deleted?.[kind] ?? [], perStep).map((ids): CopyStep => ({ does: 'delete', kind, ids }))),
    ...((choice.settings ?? all) ? [{ does: 'settings' } as const] : []),
    ...((choice.syllabus ?? all) ? [{ does: 'syllabus' } as const] : []),
  ];
}

function byDepth(folders: Inventory['folder']): number[][] {
  const levels: number[][] = [];
  for (const { id, depth } of folders) {
    levels[depth] ??= [];
    levels[depth].push(id);
  }
  return levels.filter((level) => level !== undefined);
}

/** Completed percentage. */
export const percentOf = ({ plan, step }: { readonly plan: readonly CopyStep[] | null; readonly step: number }): number =>
  plan === null || plan.length === 0 ? 0 : Math.floor((step / plan.length) * 100);
