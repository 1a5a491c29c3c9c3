// For teachers: publishes a folder to its course. First a plan that changes nothing; after confirmation, exactly that plan.

import { createHash } from 'node:crypto';
import type { PublishChange, Published, PublishPlan } from '../../../contract/publish';
import { t } from '../../../language/texts';
import type { Workspace } from '../../accounts/workspace';
import { diskAt } from '../../disk/disk';
import { checkFolder } from '../../disk/folder';
import { localDate, submissionsFolder } from '../../model/names';
import { addressOfPlace, keyOfPlace } from '../../model/places';
import type { ModuleJson } from '../../model/resources';
import { teaches } from '../../model/teaching';
import type { Path } from '../../model/trees';
import { type PushStep, pushPlan } from '../../planner/push_plan';
import { areFilesListed } from '../../server/canvas/pull';
import { wayOf } from '../../server/pull';
import { type Observation, observe } from '../observe';
import type { SyncProblem } from '../reason';
import { derive, publishedCourses, publishSetting } from '../wanted/derive';
import { remoteSourceOf } from '../wanted/source';
import type { Pushing } from './checks';
import { serverFoldersBelow } from './keep_folders';
import { attempt, pushRules } from './push_up';

/** Whether the user teaches the course, and whether its files are synced both ways. */
export function publishState({ cache, user, signedIn }: Pick<Workspace, 'cache' | 'user' | 'signedIn'>, courseId: number) {
  const can = wayOf(cache) !== undefined && teaches(cache, courseId, signedIn.user_id);
  return { can, on: publishedCourses(user.setting(publishSetting)).includes(keyOfPlace(courseId)) };
}

export function switchPublishing(workspace: Pick<Workspace, 'cache' | 'user' | 'signedIn'>, courseId: number, on: boolean): void {
  if (on && !publishState(workspace, courseId).can) throw new Error(t('why.notTeaching'));
  const key = keyOfPlace(courseId);
  const others = publishedCourses(workspace.user.setting(publishSetting)).filter((one) => one !== key);
  workspace.user.set(publishSetting, JSON.stringify(on ? [...others, key] : others));
}

interface Look {
  readonly steps: readonly PushStep[];
  readonly plan: PublishPlan;
  readonly around: Pushing;
}

async function look(study: Workspace, courseId: number): Promise<Look> {
  const { cache, user, account, session, transfers } = study;
  const wanted = derive(cache, user, account);
  const key = keyOfPlace(courseId);
  const home = wanted.homes.get(key);
  if (home === undefined || !publishState(study, courseId).on) throw new Error(t('why.oneWay'));
  // A file that is not listed would count as missing on the server, and be uploaded again.
  if (wayOf(cache) === 'lists' && !areFilesListed(cache, courseId)) throw new Error(t('why.filesNotShown'));
  const root = checkFolder(user);
  const disk = diskAt(root);
  const observation = await observe(disk, user, remoteSourceOf({ cache, wanted, session, root }));
  const keys = new Set([...wanted.bothWays].filter((one) => wanted.leaves.get(one)?.above.includes(key)));
  // Pages and assignments are written here from server data: they are not files of the course.
  const generated = [...wanted.nodes.values()].flatMap((node) =>
    node.key.startsWith(`own:${courseId}-`) ? [wanted.paths.get(node.key)] : [],
  );
  const isGenerated = (path: Path) => generated.some((folder) => folder !== undefined && `${home}/${path}`.startsWith(`${folder}/`));
  // Students' work is never a file of the course, even after grading in folders was turned off.
  const isOfStudents = (path: Path) => user.graded.isUsedIn(courseId) && path.startsWith(`${submissionsFolder}/`);
  const isPassedOver = (path: Path) => pushRules.isPassedOver(path) || isGenerated(path) || isOfStudents(path);
  const rules = { ...pushRules, isPassedOver };
  const steps = pushPlan(observation.trees, { home, keys }, rules);
  const changes = steps.map((step) => changeOf(step, home, observation, cache.ofCourse<ModuleJson>('module', courseId)));
  // The bytes that were scanned are part of what the user confirms.
  const seen = steps.map((step) => [
    step,
    step.do === 'refuse' || step.do === 'delete' ? null : observation.stamps.get(step.do === 'rename' ? step.to : step.path),
  ]);
  const id = createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 12);
  const folders = serverFoldersBelow(wanted, home);
  const around = {
    session,
    cache,
    user,
    disk,
    root,
    transfers,
    home,
    address: addressOfPlace(courseId),
    place: courseId,
    folders,
    stamps: observation.stamps,
    isAgreed: true,
    today: localDate(new Date()),
  };
  return { steps, plan: { id, changes }, around };
}

function changeOf(step: PushStep, home: Path, { stamps }: Observation, modules: readonly ModuleJson[]): PublishChange {
  const below = (path: Path) => path.slice(home.length + 1);
  const id = 'key' in step ? Number(step.key.slice('file:'.length)) : undefined;
  const leading = modules.filter(({ items }) => items?.some(({ type, content_id }) => type === 'File' && content_id === id));
  const path = step.do === 'rename' ? step.to : step.path;
  return {
    do: step.do,
    path: below(path),
    from: step.do === 'rename' ? below(step.from) : null,
    size: step.do === 'add' || step.do === 'replace' ? (stamps.get(path)?.size ?? null) : null,
    modules: id === undefined ? [] : leading.map(({ name }) => name),
    why: step.do === 'refuse' ? step.why : null,
  };
}

/** Downloads everything first; the remaining differences are the user's changes. Changes nothing on the server. */
export async function planPublishing(study: Workspace, courseId: number): Promise<PublishPlan> {
  const { outcome, issues } = await study.sync();
  if (outcome !== 'complete' && outcome !== 'complete with issues' && outcome !== 'waiting')
    throw new Error(issues[0]?.why ?? t('why.cannotAsk'));
  return (await look(study, courseId)).plan;
}

/** Carries out the confirmed plan, or nothing. */
export async function publish(study: Workspace, courseId: number, agreed: string): Promise<Published> {
  const { plan, steps, around } = await look(study, courseId);
  if (plan.id !== agreed) return { instead: plan, sent: 0, issues: [] };
  const issues: SyncProblem[] = [];
  let sent = 0;
  for (const step of steps) if (step.do !== 'refuse') sent += await attempt(step, around, issues);
  await study.sync();
  return { instead: null, sent, issues: issues.map(({ where, why }) => ({ where, why })) };
}
