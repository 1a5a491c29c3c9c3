// The feature flags that apply in the context of a request.

import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { runsTheService } from '../../contexts/institution';
import type { UserContext } from '../../contexts/user';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { type Definition, definitions, type FlagState } from './definitions';
import { type EffectiveFlag, effectiveFlagOf, type FlagLevel } from './inheritance';
import { feature_flags } from './table';

export type FeatureCall = Pick<Call, 'db' | 'me' | 'institution' | 'account'> & {
  readonly course?: CourseContext | undefined;
  readonly user?: UserContext | undefined;
};

/** The contexts that may set a flag, ending with the request's. */
function levelsOf({ course, account, user, institution }: FeatureCall): FlagLevel[] {
  const chain = course?.chain ?? (user ? [institution.root.id] : (account?.chain ?? [institution.root.id]));
  return [
    ...chain.map((id): FlagLevel => ({ type: 'Account', id })),
    ...(course ? [{ type: 'Course' as const, id: course.id }] : user ? [{ type: 'User' as const, id: user.id }] : []),
  ];
}

/** Whether the feature applies here. User features are switched for all users at the root account. */
const applies = ({ applies_to }: Definition, levels: readonly FlagLevel[], runsTheService: boolean): boolean => {
  const type = levels.at(-1)?.type;
  if (type !== 'Account') return applies_to === type;
  if (applies_to === 'User') return levels.length === 1 && runsTheService;
  return applies_to !== 'RootAccount' || levels.length === 1;
};

export interface ResolvedFeature {
  readonly name: string;
  readonly definition: Definition;
  readonly standing: EffectiveFlag;
}

export interface FeatureScope {
  readonly here: FlagLevel;
  readonly runsTheService: boolean;
  /** The features that apply here and are visible to the caller, by name. */
  readonly features: readonly ResolvedFeature[];
}

/** A statement that reads the flags of these contexts. */
export function flagsWithSay(call: FeatureCall) {
  const levels = levelsOf(call);
  const here = levels.at(-1) as FlagLevel;
  const accountIds = levels.filter((level) => level.type === 'Account').map((level) => level.id);
  const own: SQL | undefined =
    here.type === 'Account' ? undefined : and(eq(feature_flags.context_type, here.type), eq(feature_flags.context_id, here.id));
  return call.db.build
    .select()
    .from(feature_flags)
    .where(or(and(eq(feature_flags.context_type, 'Account'), among(feature_flags.context_id, accountIds)), own));
}

/** The features of a context, from the flags that were read. */
export function placeBy(call: FeatureCall, flags: readonly RowOf<typeof feature_flags>[]): FeatureScope {
  const levels = levelsOf(call);
  const here = levels.at(-1) as FlagLevel;
  const knowsHidden = runsTheService(call.me, call.institution);
  const stateAt = (level: FlagLevel, feature: string): FlagState | undefined =>
    flags.find((flag) => flag.context_type === level.type && flag.context_id === level.id && flag.feature === feature)?.state;
  const features = [...definitions]
    .filter(([, definition]) => applies(definition, levels, knowsHidden))
    .map(([name, definition]) => ({
      name,
      definition,
      standing: effectiveFlagOf(
        definition,
        levels.map((level) => ({ ...level, state: stateAt(level, name) })),
      ),
    }))
    .filter(({ standing }) => !standing.isHidden || (knowsHidden && here.type === 'Account'));
  return { here, runsTheService: knowsHidden, features };
}

type InCourse = Pick<CourseContext, 'id' | 'chain'>;

const levelsIn = ({ id, chain }: InCourse): FlagLevel[] => [
  ...chain.map((account): FlagLevel => ({ type: 'Account', id: account })),
  { type: 'Course', id },
];

/** The flags that decide a feature in a course, as JSON in a column. */
export const flagsInCourse = (feature: string, course: InCourse): SQL<string> =>
  sql<string>`(select json_group_array(json_array(f.context_type, f.context_id, f.state)) from json_each(${JSON.stringify(levelsIn(course).map(({ type, id }) => [type, id]))}) l
    join feature_flags f on f.context_type = l.value ->> 0 and f.context_id = l.value ->> 1 and f.feature = ${feature})`;

/** Whether the feature is on in the course. @param flags of `flagsInCourse` */
export function isOnInCourse(feature: string, course: InCourse, flags: string): boolean {
  const stored = JSON.parse(flags) as [FlagLevel['type'], number, FlagState][];
  const levels = levelsIn(course).map((level) => ({
    ...level,
    state: stored.find(([type, id]) => type === level.type && id === level.id)?.[2],
  }));
  const definition = definitions.get(feature);
  return definition !== undefined && effectiveFlagOf(definition, levels).isEnabled;
}

/** Reads the flags of these contexts. */
export async function featureScopeOf(call: FeatureCall): Promise<FeatureScope> {
  const [flags] = await call.db.perform([flagsWithSay(call)]);
  return placeBy(call, flags);
}
