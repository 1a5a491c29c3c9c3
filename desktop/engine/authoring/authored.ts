// Texts of authors, without a store: what the server has, what has changed since, and how two edits become one. Pure.

import type { AssignedFacts, AuthoredBase, AuthoredField, AuthoredKind, AuthoredText, FieldConflict } from '../../contract/authoring';
import type { AssignmentJson, PageJson } from '../model/resources';
import { type MergedPart, mergeParagraphs } from '../text/merge';

/** A page or an assignment, as the server returns it to its authors. */
export type AuthoredJson = PageJson | AssignmentJson;

const isPage = (item: AuthoredJson): item is PageJson => 'page_id' in item;

export const authoredIdOf = (item: AuthoredJson): number => (isPage(item) ? item.page_id : item.id);

export const baseOf = (item: AuthoredJson): AuthoredBase => ({
  title: isPage(item) ? item.title : item.name,
  html: (isPage(item) ? item.body : item.description) ?? '',
  published: item.published !== false,
  facts: isPage(item) ? null : factsOf(item),
  version: item.version ?? null,
});

const factsOf = ({ points_possible, due_at, unlock_at, lock_at }: AssignmentJson): AssignedFacts => ({
  points: points_possible ?? null,
  due_at: due_at ?? null,
  unlock_at: unlock_at ?? null,
  lock_at: lock_at ?? null,
});

type Value = FieldConflict['mine'];
const factFields = ['points', 'due_at', 'unlock_at', 'lock_at'] as const;
const fields: readonly AuthoredField[] = ['title', 'published', ...factFields];
const isFact = (field: AuthoredField): field is keyof AssignedFacts => field !== 'title' && field !== 'published';
const fieldOf = (text: AuthoredText, field: AuthoredField): Value => (isFact(field) ? (text.facts?.[field] ?? null) : text[field]);

/** Times may be written in several ways. */
const isSameValue = (a: Value, b: Value): boolean =>
  a === b || (typeof a === 'string' && typeof b === 'string' && Date.parse(a) === Date.parse(b) && /^\d{4}-/.test(a));
const isSameField = (a: AuthoredText, b: AuthoredText, field: AuthoredField): boolean => isSameValue(fieldOf(a, field), fieldOf(b, field));

export const isSameText = (a: AuthoredText, b: AuthoredText): boolean =>
  a.html === b.html && fields.every((field) => isSameField(a, b, field));

/** Whether the server still has what the author began with. Without versions, the fields are compared. */
export const isStill = (base: AuthoredBase, there: AuthoredBase): boolean =>
  base.version !== null && there.version !== null ? base.version === there.version : isSameText(base, there);

/** The request: of an existing item, only what has changed. @param base null: a new one */
export function requestOfText(kind: AuthoredKind, text: AuthoredText, base: AuthoredBase | null): Readonly<Record<string, unknown>> {
  const isChanged = (field: AuthoredField) => base === null || !isSameField(text, base, field);
  const facts = Object.fromEntries(
    factFields.flatMap((field) =>
      text.facts && isChanged(field) ? [[field === 'points' ? 'points_possible' : field, text.facts[field]]] : [],
    ),
  );
  const common = {
    ...(isChanged('published') && { published: text.published }),
    ...((base === null || text.html !== base.html) && { [kind === 'page' ? 'body' : 'description']: text.html }),
    ...(isChanged('title') && { [kind === 'page' ? 'title' : 'name']: text.title }),
  };
  return kind === 'page' ? { wiki_page: common } : { assignment: { ...common, ...facts } };
}

export interface MergedTexts {
  /** Where only one side has changed a field. Fields in conflict are as the others have them. */
  readonly merged: Omit<AuthoredText, 'html'>;
  readonly fields: readonly FieldConflict[];
  readonly parts: readonly MergedPart[];
}

/** @param base what I have begun with */
export function mergeTexts(base: AuthoredText, mine: AuthoredText, there: AuthoredText): MergedTexts {
  const isMine = (field: AuthoredField) => !isSameField(base, mine, field);
  const isBoth = (field: AuthoredField) => isMine(field) && !isSameField(base, there, field) && !isSameField(mine, there, field);
  const after = <T>(field: AuthoredField, own: T, others: T): T => (isMine(field) && !isBoth(field) ? own : others);
  const { facts } = there;
  return {
    merged: {
      title: after('title', mine.title, there.title),
      published: after('published', mine.published, there.published),
      facts: facts && {
        ...facts,
        ...Object.fromEntries(factFields.map((field) => [field, after(field, mine.facts?.[field] ?? null, facts[field])])),
      },
    },
    fields: fields.filter(isBoth).map((field) => ({ field, mine: fieldOf(mine, field), theirs: fieldOf(there, field) })),
    parts: mergeParagraphs(base.html, mine.html, there.html),
  };
}

/** The merged text, if nothing is left to decide: at most one side has changed the words, and no field is in conflict. */
export function mergedAlone(base: AuthoredText, mine: AuthoredText, there: AuthoredText): AuthoredText | undefined {
  const { merged, fields: conflicts, parts } = mergeTexts(base, mine, there);
  const [isMine, isTheirs] = (['mine', 'theirs'] as const).map((side) => parts.some(({ from }) => from === side || from === 'conflict'));
  if (conflicts.length > 0 || (isMine && isTheirs)) return undefined;
  return { ...merged, html: isMine ? mine.html : there.html };
}
