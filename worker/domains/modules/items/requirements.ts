// The requirements that an item may have, and their form in requests.

import { maybe, number, object, optional, text } from '@carrel/shared/wire/fields';
import { requirementTypes } from '../table';

export const requirementField = optional(
  maybe(object({ type: optional(text), min_score: optional(maybe(number)), min_percentage: optional(maybe(number)) })),
);

interface Given {
  readonly type?: string;
  readonly min_score?: number | null;
  readonly min_percentage?: number | null;
}

export interface RequirementColumns {
  readonly requirement_type: (typeof requirementTypes)[number] | null;
  readonly min_score: number | null;
  readonly min_percentage: number | null;
}

const none: RequirementColumns = { requirement_type: null, min_score: null, min_percentage: null };

const isApplicable = (requirement: string, itemType: string, isGraded: boolean): boolean => {
  if (itemType === 'SubHeader') return false;
  switch (requirement) {
    case 'must_view':
    case 'must_mark_done':
      return true;
    case 'must_contribute':
      return itemType === 'Discussion' || itemType === 'Page' || itemType === 'Assignment';
    default:
      return itemType === 'Assignment' || itemType === 'Quiz' || (itemType === 'Discussion' && isGraded);
  }
};

/** The requirement columns to set: none when not sent or not applicable; all null when the requirement is removed. */
export function requirementColumns(given: Given | null | undefined, itemType: string, isGraded: boolean): Partial<RequirementColumns> {
  if (given === undefined) return {};
  const type = given?.type;
  if (!type) return none;
  const known = requirementTypes.find((one) => one === type);
  if (!known || !isApplicable(known, itemType, isGraded)) return {};
  return {
    requirement_type: known,
    min_score: known === 'min_score' ? (given?.min_score ?? 0) : null,
    min_percentage: known === 'min_percentage' ? (given?.min_percentage ?? 0) : null,
  };
}
