// How the parts of a question of a New Quiz are read: as JSON, or as the maps and texts that a form makes of it.

export type Mapping = Readonly<Record<string, unknown>>;

export const isMapping = (given: unknown): given is Mapping => typeof given === 'object' && given !== null && !Array.isArray(given);

/** A form sends a list as a map with the keys 0, 1, …. */
export function listedParts(given: unknown): readonly unknown[] | undefined {
  if (Array.isArray(given)) return given;
  if (!isMapping(given)) return undefined;
  const keys = Object.keys(given);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(given) : undefined;
}

/** An id or an answer: ids may come as numbers. */
export const partText = (given: unknown): string | undefined =>
  typeof given === 'number' ? String(given) : typeof given === 'string' && given.trim() !== '' ? given : undefined;

/** A number, also as text. */
export function amountOf(given: unknown): number | undefined {
  const value = typeof given === 'number' ? given : typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

const yes: readonly unknown[] = [true, 'true', '1', 1];
const no: readonly unknown[] = [false, 'false', '0', 0];
export const booleanOf = (given: unknown): boolean | undefined => (yes.includes(given) ? true : no.includes(given) ? false : undefined);

export const mappingOf = (given: unknown): Mapping => (isMapping(given) ? given : {});

/** Texts of a list; other members are left out. */
export const textsIn = (given: unknown): readonly string[] => (listedParts(given) ?? []).flatMap((one) => partText(one) ?? []);

/** Objects with an id, of a list or of a map by id. */
export function entriesIn(given: unknown): readonly (Mapping & { readonly id: string })[] {
  const all = listedParts(given) ?? Object.entries(mappingOf(given)).map(([id, one]) => ({ id, ...mappingOf(one) }));
  return all.flatMap((one) => {
    const id = partText(mappingOf(one).id);
    return id === undefined ? [] : { ...mappingOf(one), id };
  });
}

/** A question as its editor has sent it, by its parts. */
export const interactionDataOf = (entry: Mapping): Mapping => mappingOf(entry.interaction_data);
export const scoringDataOf = (entry: Mapping): Mapping => mappingOf(entry.scoring_data);
export const interactionSlugOf = (entry: Mapping): string => String(entry.interaction_type_slug ?? '');
