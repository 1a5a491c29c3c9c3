// Feature flags: every endpoint, in the order of the API reference.

import { Feature, FeatureFlag } from '@carrel/shared/resources/feature';
import { bool, oneOf, optional, referenceTo } from '@carrel/shared/wire/fields';
import { and, eq } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { del, get, put } from '../../http/endpoint';
import { pageOf } from '../../http/page';
import { badParameter, invalid, notFound, problem } from '../../http/problem';
import { answer, pageOfRows, type Reply, write } from '../../http/reply';
import { definitions, type FlagState } from './definitions';
import type { FlagLevel } from './inheritance';
import { featureJson, flagJson } from './json';
import { type FeatureCall, type FeatureScope, featureScopeOf, type ResolvedFeature } from './place';
import { feature_flags } from './table';

export const about = { title: 'Feature flags', description: 'Features that accounts, courses and users turn on or off.' };

type Asked = FeatureCall & Pick<Call, 'now' | 'page'>;
type Named = Asked & { readonly path: { readonly feature: string } };

const flagOf = ({ name, definition, standing }: ResolvedFeature, place: FeatureScope) =>
  flagJson(name, definition, standing, place.here, place.runsTheService);

async function listed(call: Asked & { params: { hide_inherited_enabled?: boolean } }): Promise<Reply> {
  const place = await featureScopeOf(call);
  const result = place.features
    .filter(({ standing }) => !(call.params.hide_inherited_enabled && standing.locked && standing.isEnabled))
    .map((found) => featureJson(found.name, found.definition, flagOf(found, place)));
  return pageOfRows(...pageOf(result, call.page));
}

async function enabled(call: Asked): Promise<Reply> {
  const { features } = await featureScopeOf(call);
  return answer(features.filter(({ standing }) => standing.isEnabled).map(({ name }) => name));
}

async function shown(call: Named): Promise<Reply> {
  const place = await featureScopeOf(call);
  const found = place.features.find(({ name }) => name === call.path.feature);
  if (!found) throw notFound();
  return answer(flagOf(found, place));
}

const rowOf = ({ type, id }: FlagLevel, feature: string) =>
  and(eq(feature_flags.context_type, type), eq(feature_flags.context_id, id), eq(feature_flags.feature, feature));

const lockedAbove = () => problem(403, 'flag is locked');

/** The context's features after the flag is set or removed. */
async function changed(
  call: Named,
  state: FlagState | undefined,
): Promise<{ place: FeatureScope; before: ResolvedFeature; after: object }> {
  const place = await featureScopeOf(call);
  const before = place.features.find(({ name }) => name === call.path.feature);
  if (!before) throw state === undefined ? notFound() : problem(400, 'invalid feature');
  if (before.standing.locked) throw lockedAbove();
  const level = state && { ...place.here, state };
  const standing = {
    ...before.standing,
    state: state ?? before.standing.parent_state,
    level,
  };
  return { place, before, after: flagOf({ ...before, standing }, place) };
}

async function set(call: Named & { params: { state?: FlagState } }): Promise<Reply> {
  const { state } = call.params;
  if (!definitions.has(call.path.feature)) throw problem(400, 'invalid feature');
  if (state === undefined) throw badParameter('state', 'is missing');
  const { place, before, after } = await changed(call, state);
  if (place.here.type !== 'Account' && (state === 'allowed' || state === 'allowed_on')) {
    // Sending an inherited state back sets no flag.
    if (state === before.standing.state) return answer(flagOf(before, place));
    throw invalid('state', 'invalid', 'state is not valid in context');
  }
  const transition = flagOf(before, place).transitions[state];
  if (transition?.locked) throw problem(403, transition.message ?? 'state change not allowed');
  const flag = { context_type: place.here.type, context_id: place.here.id, feature: call.path.feature, state };
  return write(
    [
      call.db.build
        .insert(feature_flags)
        .values({ ...flag, created_at: call.now, updated_at: call.now })
        .onConflictDoUpdate({
          target: [feature_flags.context_type, feature_flags.context_id, feature_flags.feature],
          set: { state, updated_at: call.now },
        }),
    ],
    answer(after),
  );
}

/** Responds with the removed flag. */
async function removed(call: Named): Promise<Reply> {
  const { place, before } = await changed(call, undefined);
  const { level } = before.standing;
  if (level?.type !== place.here.type || level.id !== place.here.id) throw notFound();
  return write([call.db.build.delete(feature_flags).where(rowOf(place.here, call.path.feature))], answer(flagOf(before, place)));
}

const lists = {
  params: { hide_inherited_enabled: optional(bool) },
  returns: { json: Feature },
} as const;
const flags = { returns: { json: FeatureFlag } } as const;
const sets = {
  params: { state: optional(oneOf('off', 'allowed', 'allowed_on', 'on')), locking_account_id: optional(referenceTo('account')) },
  returns: { json: FeatureFlag },
} as const;
const names = { returns: { json: null } } as const;

export const featureRoutes = [
  get('/accounts/:account_id/features', { can: ['manager', 'view_feature_flags'], summary: 'List features', ...lists }, listed),
  get('/courses/:course_id/features', { can: 'read', summary: 'List features', ...lists }, listed),
  get('/users/:user_id/features', { can: 'self_or_admin', summary: 'List features', ...lists }, listed),

  get(
    '/accounts/:account_id/features/enabled',
    { can: ['manager', 'view_feature_flags'], summary: 'List enabled features', ...names },
    enabled,
  ),
  get('/courses/:course_id/features/enabled', { can: 'read', summary: 'List enabled features', ...names }, enabled),
  get('/users/:user_id/features/enabled', { can: 'self_or_admin', summary: 'List enabled features', ...names }, enabled),

  get(
    '/accounts/:account_id/features/flags/:feature',
    { can: ['manager', 'view_feature_flags'], summary: 'Get a feature flag', ...flags },
    shown,
  ),
  get('/courses/:course_id/features/flags/:feature', { can: 'read', summary: 'Get a feature flag', ...flags }, shown),
  get('/users/:user_id/features/flags/:feature', { can: 'self_or_admin', summary: 'Get a feature flag', ...flags }, shown),

  put('/accounts/:account_id/features/flags/:feature', { can: 'manage_feature_flags', summary: 'Set a feature flag', ...sets }, set),
  put('/courses/:course_id/features/flags/:feature', { can: 'manage_feature_flags', summary: 'Set a feature flag', ...sets }, set),
  put('/users/:user_id/features/flags/:feature', { can: 'self', summary: 'Set a feature flag', ...sets }, set),

  del(
    '/accounts/:account_id/features/flags/:feature',
    { can: 'manage_feature_flags', summary: 'Remove a feature flag', ...flags },
    removed,
  ),
  del('/courses/:course_id/features/flags/:feature', { can: 'manage_feature_flags', summary: 'Remove a feature flag', ...flags }, removed),
  del('/users/:user_id/features/flags/:feature', { can: 'self', summary: 'Remove a feature flag', ...flags }, removed),

  get('/features/environment', { can: 'user', summary: 'Get the environment feature flags', ...names }, async (call) => {
    const { features } = await featureScopeOf({ db: call.db, me: call.me, institution: call.institution });
    const told = [...definitions].filter(([, definition]) => definition.environment).map(([name]) => name);
    return answer(Object.fromEntries(told.map((name) => [name, features.find((one) => one.name === name)?.standing.isEnabled ?? false])));
  }),
];
