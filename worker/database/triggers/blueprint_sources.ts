// The content of blueprints, as its domains declare it. Triggers record edits of the lockable columns, and rules/blueprint_locks.ts refuses them.

import { assignmentGroupBlueprint } from '../../domains/assignment_groups/change_sources.ts';
import { assignmentBlueprint } from '../../domains/assignments/change_sources.ts';
import { calendarEventBlueprint } from '../../domains/calendar_events/change_sources.ts';
import { discussionTopicBlueprint } from '../../domains/discussion_topics/change_sources.ts';
import { externalToolBlueprint } from '../../domains/external_tools/change_sources.ts';
import { fileBlueprint } from '../../domains/files/change_sources.ts';
import { folderBlueprint } from '../../domains/files/folders/change_sources.ts';
import { gradingStandardBlueprint } from '../../domains/grading_standards/change_sources.ts';
import { assignmentLinkPart, moduleItemLinkPart } from '../../domains/lti_resource_links/change_sources.ts';
import { captionsPart, recordingTitlePart } from '../../domains/media_objects/change_sources.ts';
import { moduleBlueprint, moduleItemBlueprint } from '../../domains/modules/change_sources.ts';
import { newQuizItemBlueprint, newQuizItemPart, newQuizSettingsPart } from '../../domains/new_quizzes/change_sources.ts';
import { learningOutcomeBlueprint, outcomeGroupBlueprint } from '../../domains/outcomes/change_sources.ts';
import { pageBlueprint } from '../../domains/pages/change_sources.ts';
import { questionBankBlueprint } from '../../domains/question_banks/change_sources.ts';
import { quizGroupBlueprint, quizGroupPart } from '../../domains/quiz_groups/change_sources.ts';
import { quizQuestionBlueprint, quizQuestionPart } from '../../domains/quiz_questions/change_sources.ts';
import { quizBlueprint } from '../../domains/quizzes/change_sources.ts';
import { rubricAssociationBlueprint } from '../../domains/rubric_associations/change_sources.ts';
import { rubricBlueprint } from '../../domains/rubrics/change_sources.ts';
import type { BlueprintPart, BlueprintSource } from './source.ts';

const declared = [assignmentBlueprint, pageBlueprint, discussionTopicBlueprint, fileBlueprint, quizBlueprint] as const;

export type LockableTable = (typeof declared)[number]['table'];

/** A kind with columns that a blueprint can lock. */
export type LockableSource = BlueprintSource & Required<Pick<BlueprintSource, 'locks'>> & { readonly table: LockableTable };

export const lockable: readonly LockableSource[] = declared;

/** A list by hand: its order is part of the text of triggers, so another order would install them again. */
export const blueprintSources: readonly BlueprintSource[] = [
  ...lockable,
  folderBlueprint,
  assignmentGroupBlueprint,
  calendarEventBlueprint,
  moduleBlueprint,
  moduleItemBlueprint,
  gradingStandardBlueprint,
  rubricBlueprint,
  rubricAssociationBlueprint,
  quizGroupBlueprint,
  quizQuestionBlueprint,
  questionBankBlueprint,
  learningOutcomeBlueprint,
  outcomeGroupBlueprint,
  newQuizItemBlueprint,
  externalToolBlueprint,
];

export const blueprintParts: readonly BlueprintPart[] = [
  quizGroupPart,
  quizQuestionPart,
  newQuizItemPart,
  newQuizSettingsPart,
  captionsPart,
  recordingTitlePart,
  assignmentLinkPart,
  moduleItemLinkPart,
];

export function lockableIn(table: LockableTable): LockableSource {
  const source = lockable.find((one) => one.table === table);
  if (!source) throw new Error(`no lock protects ${table}`);
  return source;
}
