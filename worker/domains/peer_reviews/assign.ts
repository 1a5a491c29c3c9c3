// Which submissions each student reviews. Pure (reference 03 §7).

export interface Submitter {
  readonly id: number;
  /** The group of a group assignment, whose members do not review each other. */
  readonly group?: number | null;
}

export interface Review {
  readonly assessor_id: number;
  readonly author_id: number;
}

export interface ReviewPlan {
  /** In the order of the rotation: a student reviews those who follow. */
  readonly submitters: readonly Submitter[];
  /** Reviews that are already assigned; they stay. */
  readonly existing: readonly Review[];
  /** Reviews per student. */
  readonly count: number;
}

/** One matching of assessors with authors, in which earlier choices of this run may change until everyone has as many as possible. */
class Matching {
  readonly #place = new Map<number, number>();
  readonly #fixed = new Map<number, Set<number>>();
  readonly #chosen = new Map<number, Set<number>>();
  readonly #assessors = new Map<number, Set<number>>();
  readonly #load: Map<number, number>;

  constructor(
    readonly submitters: readonly Submitter[],
    existing: readonly Review[],
  ) {
    this.#load = new Map(submitters.map(({ id }) => [id, 0]));
    submitters.forEach(({ id }, place) => {
      this.#place.set(id, place);
      this.#fixed.set(id, new Set());
      this.#chosen.set(id, new Set());
      this.#assessors.set(id, new Set());
    });
    for (const { assessor_id, author_id } of existing) {
      this.#fixed.get(assessor_id)?.add(author_id);
      if (this.#load.has(author_id)) this.#load.set(author_id, this.loadOf(author_id) + 1);
    }
  }

  loadOf = (author: number): number => this.#load.get(author) ?? 0;
  countOf = (assessor: number): number => (this.#fixed.get(assessor)?.size ?? 0) + (this.#chosen.get(assessor)?.size ?? 0);

  mayReview(assessor: Submitter, author: Submitter): boolean {
    const isMate = assessor.group != null && assessor.group === author.group;
    return assessor.id !== author.id && !isMate && !this.#fixed.get(assessor.id)?.has(author.id);
  }

  /** The authors in rotation, beginning after the assessor. */
  *#after(assessor: Submitter): Generator<Submitter> {
    const { length } = this.submitters;
    const start = this.#place.get(assessor.id) ?? 0;
    for (let step = 1; step < length; step += 1) yield this.submitters[(start + step) % length] as Submitter;
  }

  #move(assessor: number, from: number | undefined, to: number): void {
    if (from !== undefined) {
      this.#chosen.get(assessor)?.delete(from);
      this.#assessors.get(from)?.delete(assessor);
      this.#load.set(from, this.loadOf(from) - 1);
    }
    this.#chosen.get(assessor)?.add(to);
    this.#assessors.get(to)?.add(assessor);
    this.#load.set(to, this.loadOf(to) + 1);
  }

  /** The number of reviews that the assessor can have in all. */
  mostFor(assessor: Submitter, count: number, groupSizes: ReadonlyMap<number, number>): number {
    const fixed = this.#fixed.get(assessor.id) ?? new Set();
    const known = [...fixed].filter((id) => {
      const author = this.submitters[this.#place.get(id) ?? -1];
      return author !== undefined && author.id !== assessor.id && (assessor.group == null || assessor.group !== author.group);
    });
    const others = this.submitters.length - (assessor.group == null ? 1 : (groupSizes.get(assessor.group) ?? 1));
    return Math.min(count, fixed.size + others - known.length);
  }

  /**
   * Gives the assessor one more author with less than `most` reviews, by the shortest chain of exchanges; false without such a chain.
   * @param dead authors from whom an earlier search with this limit has found nothing; a failed search adds its own
   */
  extend(assessor: Submitter, most: number, dead: Set<number>): boolean {
    const cameFrom = new Map<number, { assessor: Submitter; instead: number | undefined }>();
    const waiting: { assessor: Submitter; instead: number | undefined }[] = [{ assessor, instead: undefined }];
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      for (const author of this.#after(next.assessor)) {
        if (
          dead.has(author.id) ||
          cameFrom.has(author.id) ||
          this.#chosen.get(next.assessor.id)?.has(author.id) ||
          !this.mayReview(next.assessor, author)
        )
          continue;
        cameFrom.set(author.id, next);
        if (this.loadOf(author.id) < most) {
          this.#exchange(author.id, cameFrom);
          return true;
        }
        for (const other of this.#assessors.get(author.id) ?? [])
          waiting.push({ assessor: this.submitters[this.#place.get(other) ?? 0] as Submitter, instead: author.id });
      }
    }
    for (const id of cameFrom.keys()) dead.add(id);
    return false;
  }

  #exchange(last: number, cameFrom: ReadonlyMap<number, { assessor: Submitter; instead: number | undefined }>): void {
    for (let author: number | undefined = last; author !== undefined; ) {
      const step = cameFrom.get(author);
      if (!step) return;
      this.#move(step.assessor.id, step.instead, author);
      author = step.instead;
    }
  }

  chosen(): Review[] {
    return this.submitters.flatMap(({ id }) => [...(this.#chosen.get(id) ?? [])].map((author_id) => ({ assessor_id: id, author_id })));
  }
}

/**
 * The reviews to add, so that each submitter has `count` of them, or as many as possible. The submissions with the fewest reviews are filled first,
 * so that reviews are spread evenly.
 */
export function reviewsToAdd({ submitters, existing, count }: ReviewPlan): Review[] {
  const matching = new Matching(submitters, existing);
  const sizes = new Map<number, number>();
  for (const { group } of submitters) if (group != null) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const targets = new Map(submitters.map((one) => [one.id, matching.mostFor(one, count, sizes)]));
  const wants = ({ id }: Submitter) => matching.countOf(id) < (targets.get(id) ?? 0);
  let wanting = submitters.filter(wants);
  // With a limit as high as the number of students, everyone reaches the target.
  for (let most = 1; wanting.length > 0; most += 1) {
    const hasRoom = () => submitters.some(({ id }) => matching.loadOf(id) < most);
    for (let isFilling = true; isFilling && hasRoom(); ) {
      const dead = new Set<number>();
      isFilling = wanting.filter((one) => wants(one) && matching.extend(one, most, dead)).length > 0;
    }
    wanting = wanting.filter(wants);
  }
  return matching.chosen();
}
