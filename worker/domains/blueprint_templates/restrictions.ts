// Blueprint locks: the default locks, by kind where the course sets them, and their form in requests and responses.

import { bool, object, optional } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { CopiedKind } from '../course_copy/table';
import type { BlueprintSettings, Restrictions } from '../courses/table';
import { type Lockable, lockables } from './table';

export type { BlueprintSettings, Restrictions };

export const restrictionParams = object(
  Object.fromEntries(lockables.map((name) => [name, optional(bool)])) as Record<Lockable, ReturnType<typeof optional<typeof bool>>>,
);

/** Content types of the API and their kinds; null for types that Carrel does not have yet. */
export const contentTypes: Readonly<Record<string, CopiedKind | null>> = {
  assignment: 'assignment',
  attachment: 'file',
  discussion_topic: 'discussion_topic',
  wiki_page: 'page',
  external_tool: null,
  'lti-quiz': 'assignment',
  quiz: 'quiz',
  course_pace: null,
};

export const typesByObject = ['assignment', 'attachment', 'discussion_topic', 'quiz', 'wiki_page'] as const;
const typeOf: { readonly [K in CopiedKind]?: string } = {
  assignment: 'assignment',
  file: 'attachment',
  discussion_topic: 'discussion_topic',
  page: 'wiki_page',
  quiz: 'quiz',
};

/** The default locks of a kind: content only, unless the course sets others. */
export function defaultRestrictions(settings: BlueprintSettings | null, kind: CopiedKind): Restrictions {
  if (settings?.by_type) return lookUp(settings.types, typeOf[kind] ?? '') ?? {};
  return settings?.restrictions ?? { content: true };
}

/** Every lock, including those that were not sent. */
export const inFull = (given: Restrictions): Record<Lockable, boolean> =>
  Object.fromEntries(lockables.map((name) => [name, given[name] === true])) as Record<Lockable, boolean>;

/** Locks as the course returns them: `state` only when it is locked. */
export const restrictionsJson = (given: Restrictions): Record<string, boolean> => {
  const { state, ...rest } = inFull(given);
  return { ...rest, ...(state && { state }) };
};

/** A blueprint's settings after a request; undefined when the request does not touch them. */
export function blueprintSettingsAfter(
  before: BlueprintSettings | null,
  given: {
    readonly blueprint_restrictions?: Restrictions;
    readonly use_blueprint_restrictions_by_object_type?: boolean;
    readonly blueprint_restrictions_by_object_type?: Readonly<Record<string, Restrictions | undefined>>;
  },
): BlueprintSettings | undefined {
  const {
    blueprint_restrictions: all,
    use_blueprint_restrictions_by_object_type: by_type,
    blueprint_restrictions_by_object_type: types,
  } = given;
  if (all === undefined && by_type === undefined && types === undefined) return undefined;
  return {
    ...before,
    ...(all && { restrictions: inFull(all) }),
    ...(by_type !== undefined && { by_type }),
    ...(types && {
      types: Object.fromEntries(Object.entries(types).flatMap(([type, locks]) => (locks ? [[type, inFull(locks)]] : []))),
    }),
  };
}

/** The lock settings in a course's JSON. */
export const blueprintSettingsJson = (settings: BlueprintSettings | null): object =>
  settings?.by_type
    ? {
        blueprint_restrictions_by_object_type: Object.fromEntries(
          Object.entries(settings.types ?? {}).map(([type, locks]) => [type, restrictionsJson(locks)]),
        ),
      }
    : { blueprint_restrictions: restrictionsJson(settings?.restrictions ?? { content: true }) };
