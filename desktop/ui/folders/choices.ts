// What the teacher has chosen of a plan: everything but conflicts, which need a decision of their own. Pure.

import type { FolderChoices, FolderGradePlan, PlannedAssignment, PlannedChange } from '../../contract/grading_folders.ts';

export type PlanChoices = Readonly<Record<string, FolderChoices[string] | undefined>>;

export const changesIn = ({ assignments }: Pick<FolderGradePlan, 'assignments'>): PlannedChange[] =>
  assignments.flatMap(({ changes }) => changes);

export const usualChoices = (plan: FolderGradePlan): PlanChoices =>
  Object.fromEntries(changesIn(plan).map(({ key, conflict }) => [key, conflict ? undefined : 'send']));

/** Without what stays in the folder. */
export const chosenIn = (plan: FolderGradePlan, choices: PlanChoices): FolderChoices =>
  Object.fromEntries(changesIn(plan).flatMap(({ key }) => (choices[key] ? [[key, choices[key]]] : [])));

/** Those that a check box decides on: all, some or none of them are chosen. */
export function shareChosen({ changes }: PlannedAssignment, choices: PlanChoices): 'all' | 'some' | 'none' {
  const own = changes.filter(({ conflict }) => !conflict);
  const count = own.filter(({ key }) => choices[key]).length;
  return count === 0 ? 'none' : count === own.length ? 'all' : 'some';
}
