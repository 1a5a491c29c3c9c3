// What an attempt at a New Quiz draws of a question: which choices, in which order, and which values of its variables.

import { type RandomNumber, shuffled } from '../presenting/random';
import {
  amountOf,
  booleanOf,
  entriesIn,
  interactionDataOf,
  interactionSlugOf,
  listedParts,
  type Mapping,
  mappingOf,
  partText,
  scoringDataOf,
} from './parts';

interface Drawing {
  /** The quiz shuffles the choices of all its questions. */
  readonly shuffles: boolean;
  /** One wrong choice of four or more is left out. */
  readonly reducesChoices: boolean;
}

/** From this many choices on, one can be left out. */
const leastToReduce = 4;

/** A random order in which the choices at the locked places stay there. */
function shuffledExcept<T>(all: readonly T[], locked: ReadonlySet<number>, random: RandomNumber): T[] {
  const free = shuffled(
    all.filter((_, at) => !locked.has(at)),
    random,
  );
  let next = 0;
  return all.map((one, at) => {
    if (locked.has(at)) return one;
    next += 1;
    return free[next - 1] as T;
  });
}

function withoutWrongOne(entry: Mapping, ids: readonly string[], random: RandomNumber): readonly string[] {
  if (ids.length < leastToReduce) return ids;
  const wrong = ids.filter((id) => id !== partText(scoringDataOf(entry).value));
  const out = wrong[Math.floor(random() * wrong.length)];
  return ids.filter((id) => id !== out);
}

/** The choices in the order of the attempt; undefined for types without choices. */
function choicesFor(entry: Mapping, drawing: Drawing, random: RandomNumber): readonly string[] | undefined {
  const slug = interactionSlugOf(entry);
  const ids = entriesIn(interactionDataOf(entry).choices).map(({ id }) => id);
  // The order of the choices would be the answer.
  if (slug === 'ordering') return shuffled(ids, random);
  if (slug !== 'choice' && slug !== 'multi-answer') return undefined;
  const rule = mappingOf(mappingOf(mappingOf(entry.properties).shuffle_rules).choices);
  const locked = new Set((listedParts(rule.to_lock) ?? []).map(amountOf).filter((place) => place !== undefined));
  const mixed = drawing.shuffles || booleanOf(rule.shuffled) === true ? shuffledExcept(ids, locked, random) : ids;
  return drawing.reducesChoices && slug === 'choice' ? withoutWrongOne(entry, mixed, random) : mixed;
}

export function presentedItem(entry: Mapping, drawing: Drawing, random: RandomNumber) {
  const shown = choicesFor(entry, drawing, random);
  const solutions =
    interactionSlugOf(entry) === 'formula' ? (listedParts(mappingOf(scoringDataOf(entry).value).generated_solutions) ?? []) : [];
  return { ...(shown && { shown }), ...(solutions.length > 0 && { variant: Math.floor(random() * solutions.length) }) };
}
