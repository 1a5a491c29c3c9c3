// What the desk reads of outcomes: their links with a course, and the user's own results.

import type { CalculationMethod } from '@carrel/shared/grading/outcome_scores';

export interface OutcomeLinkJson {
  readonly id?: number;
  readonly outcome_group?: { readonly title?: string };
  readonly outcome: {
    readonly id: number;
    readonly title: string;
    readonly display_name?: string | null;
    readonly friendly_description?: string | null;
    readonly description?: string | null;
    readonly calculation_method?: CalculationMethod;
    readonly calculation_int?: number | null;
    readonly points_possible?: number;
    readonly mastery_points?: number;
    readonly ratings?: readonly { readonly description: string; readonly points: number }[];
  };
}

export interface OutcomeResultJson {
  readonly id: number;
  /** Null when the assessment was cleared. */
  readonly score?: number | null;
  readonly possible?: number | null;
  /** From 0 to 1. */
  readonly percent?: number | null;
  readonly hide_points?: boolean;
  readonly submitted_or_assessed_at: string;
  /** Ids as text; the alignment is `quiz_7`, `assignment_7` or `live_assessment_7`. */
  readonly links: { readonly learning_outcome: string; readonly alignment: string; readonly assignment?: string | null };
}
