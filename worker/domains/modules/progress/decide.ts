// Computes a student's progress in modules from facts. Pure (reference 05 §1.4).

export type ProgressState = 'locked' | 'unlocked' | 'started' | 'completed';
export type RequirementType = 'must_view' | 'must_submit' | 'must_contribute' | 'must_mark_done' | 'min_score' | 'min_percentage';
/** A student's action on an item: read, contributed, marked done. */
export type Mark = 'read' | 'contributed' | 'done';

export interface SubmissionFacts {
  readonly workflow_state: string;
  /** Null for a grade without a submission. */
  readonly attempt: number | null;
  readonly score: number | null;
  readonly isPosted: boolean;
  readonly isExcused: boolean;
}

export interface Requirement {
  /** The item's id. */
  readonly id: number;
  readonly position: number;
  readonly type: RequirementType;
  readonly min_score: number | null;
  readonly min_percentage: number | null;
  /** Published and visible to this student. */
  readonly isVisible: boolean;
  readonly points_possible: number | null;
  readonly submission: SubmissionFacts | null;
  /** Marks that counted when they were made. */
  readonly marks: readonly Mark[];
  /** Marks that have not been evaluated yet: they count unless the module is locked. */
  readonly fresh: readonly Mark[];
}

export interface ModuleFacts {
  readonly id: number;
  readonly workflow_state: string;
  /** The module is assigned to this student. */
  readonly isOpen: boolean;
  readonly unlock_at: string | null;
  readonly require_sequential_progress: boolean;
  readonly requirement_count: number | null;
  readonly prerequisite_module_ids: readonly number[];
  readonly requirements: readonly Requirement[];
  /** The student's stored progress in this module. */
  readonly before: { readonly state: ProgressState; readonly completed_at: string | null } | null;
}

export interface Met {
  readonly id: number;
  readonly type: RequirementType;
}
export interface Incomplete extends Met {
  readonly min_score: number;
  readonly score: number | null;
}

export interface Progression {
  readonly module_id: number;
  readonly state: ProgressState;
  readonly requirements_met: readonly Met[];
  readonly incomplete_requirements: readonly Incomplete[];
  readonly completed_at: string | null;
  /** Items after this position are locked; null when none is. */
  readonly current_position: number | null;
  /** Items whose new marks count, and items whose new marks were made while locked. */
  readonly accepted: readonly number[];
  readonly dismissed: readonly number[];
}

const satisfies: Record<Mark, readonly RequirementType[]> = {
  read: ['must_view'],
  contributed: ['must_contribute', 'must_view'],
  done: ['must_mark_done'],
};

const handedIn = new Set(['submitted', 'graded', 'complete', 'pending_review']);
/** Sums of decimals can miss an integer by a rounding error. */
const snapped = (score: number) => (Math.abs(score - Math.round(score)) < 1e-6 ? Math.round(score) : score);

function scoreOf({ type, submission, points_possible }: Requirement): number | null {
  if (!submission?.isPosted || submission.score === null) return null;
  if (type === 'min_score') return snapped(submission.score);
  return points_possible ? snapped((100 * submission.score) / points_possible) : null;
}

const thresholdOf = (requirement: Requirement) =>
  (requirement.type === 'min_score' ? requirement.min_score : requirement.min_percentage) ?? 0;

function isMet(requirement: Requirement, marks: readonly Mark[]): boolean {
  const { type, submission } = requirement;
  if (submission?.isExcused) return true;
  switch (type) {
    case 'must_view':
      // Any action on the item implies that it was viewed.
      return marks.length > 0;
    case 'must_contribute':
    case 'must_mark_done':
      return marks.some((mark) => satisfies[mark].includes(type));
    case 'must_submit':
      return submission !== null && submission.attempt !== null && handedIn.has(submission.workflow_state);
    case 'min_score':
    case 'min_percentage': {
      const score = scoreOf(requirement);
      return score !== null && score >= thresholdOf(requirement);
    }
  }
}

const isScored = (type: RequirementType) => type === 'min_score' || type === 'min_percentage';
const met = ({ id, type }: Requirement): Met => ({ id, type });
const withFreshMarks = (module: ModuleFacts) => module.requirements.filter(({ fresh }) => fresh.length > 0).map(({ id }) => id);

/** The position of the first incomplete item, if requirements are sequential. */
const stopOf = (module: ModuleFacts, unmet: readonly Requirement[]): number | null =>
  module.require_sequential_progress && unmet.length > 0 ? Math.min(...unmet.map(({ position }) => position)) : null;

const incompleteOf = (unmet: readonly Requirement[]): Incomplete[] =>
  unmet
    .filter(({ type, submission }) => isScored(type) && submission !== null && submission.score !== null)
    .map((requirement) => ({ ...met(requirement), min_score: thresholdOf(requirement), score: requirement.submission?.score ?? null }));

/** @param isReached whether it was unlocked before, or is not locked now */
function stateOf(
  module: ModuleFacts,
  isReached: boolean,
  canAdvance: boolean,
  metCount: number,
  unmet: readonly Requirement[],
): ProgressState {
  if (!isReached) return 'locked';
  if (!canAdvance) return module.before?.state ?? 'locked';
  const need = module.requirement_count ?? 0;
  if (unmet.length === 0 || (need > 0 && metCount >= need)) return 'completed';
  return metCount > 0 || incompleteOf(unmet).length > 0 ? 'started' : 'unlocked';
}

function evaluate(module: ModuleFacts, now: string, isOpened: () => boolean): Progression {
  const wasReached = module.before !== null && module.before.state !== 'locked';
  const canAdvance = module.workflow_state === 'active' && module.isOpen && (module.unlock_at === null || module.unlock_at <= now);
  const isReached = wasReached || (canAdvance && isOpened());
  const marksOf = ({ marks, fresh }: Requirement) => (isReached ? [...marks, ...fresh] : marks);
  const counted = module.requirements.filter(({ isVisible }) => isVisible);
  const [done, unmet] = [true, false].map((wanted) => counted.filter((one) => isMet(one, marksOf(one)) === wanted)) as [
    Requirement[],
    Requirement[],
  ];
  const state = stateOf(module, isReached, canAdvance, done.length, unmet);
  return {
    module_id: module.id,
    state,
    requirements_met: done.map(met),
    incomplete_requirements: incompleteOf(unmet),
    completed_at: state === 'completed' ? (module.before?.completed_at ?? now) : null,
    current_position: stopOf(module, unmet),
    accepted: isReached ? withFreshMarks(module) : [],
    dismissed: isReached ? [] : withFreshMarks(module),
  };
}

/**
 * One student's progress in every given module.
 * @param modules including the prerequisites of locked modules
 */
export function progressOfModules(modules: readonly ModuleFacts[], now: string): ReadonlyMap<number, Progression> {
  const byId = new Map(modules.map((module) => [module.id, module]));
  const done = new Map<number, Progression>();
  const open = new Set<number>();
  const isCompleted = (id: number): boolean => {
    const module = byId.get(id);
    // A prerequisite that is deleted, unpublished or not assigned to the student does not lock; nor does a cycle.
    if (module?.workflow_state !== 'active' || !module.isOpen || open.has(id)) return true;
    return visit(module).state === 'completed';
  };
  const visit = (module: ModuleFacts): Progression => {
    const known = done.get(module.id);
    if (known) return known;
    open.add(module.id);
    const found = evaluate(module, now, () => module.prerequisite_module_ids.every(isCompleted));
    open.delete(module.id);
    done.set(module.id, found);
    return found;
  };
  for (const module of modules) visit(module);
  return done;
}

/** Whether an item's position is beyond what the student may access. */
export const isHeldBack = (module: ModuleFacts, progression: Progression, position: number, now: string): boolean =>
  module.workflow_state !== 'active' ||
  !module.isOpen ||
  (module.unlock_at !== null && module.unlock_at > now) ||
  progression.state === 'locked' ||
  (progression.current_position !== null && position > progression.current_position);
