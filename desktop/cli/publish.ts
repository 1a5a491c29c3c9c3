// `carrel publish`: shows a plan of the changes to a course, then publishes exactly that plan.

import type { PublishChange, Published, PublishPlan } from '../contract/publish';
import type { Workspace } from '../engine/accounts/workspace';
import { places } from '../engine/model/places';
import { planPublishing, publish, switchPublishing } from '../engine/sync/uploads/publish';
import { size as amount } from '../language/amounts';
import { type MessageKey, t } from '../language/texts';
import { type Arguments, Misused } from './arguments';

interface Said {
  readonly plan?: PublishPlan;
  readonly published?: Published;
  readonly lines: readonly string[];
}

export async function publishByWords(workspace: Workspace, { words, plan: agreed }: Pick<Arguments, 'words' | 'plan'>): Promise<Said> {
  const verb = words[0] === 'on' || words[0] === 'off' ? words[0] : undefined;
  const name = (verb ? words.slice(1) : words).join(' ');
  if (name === '') throw new Misused(t('cli.sayCourse'));
  const { id, name: title } = courseNamed(workspace, name);
  if (verb) {
    switchPublishing(workspace, id, verb === 'on');
    return { lines: [verb === 'on' ? t('cli.bothWays', { course: title }) : t('cli.onlyDown', { course: title })] };
  }
  if (agreed !== undefined) {
    const published = await publish(workspace, id, agreed);
    if (published.instead)
      return {
        published,
        plan: published.instead,
        lines: [t('cli.stale'), ...planLines(published.instead, title)],
      };
    return {
      published,
      lines: [
        t('cli.published', { count: published.sent, course: title }),
        ...published.issues.map(({ where, why }) => `  ${where}: ${why}`),
      ],
    };
  }
  const plan = await planPublishing(workspace, id);
  return { plan, lines: planLines(plan, title) };
}

const verbs: Readonly<Record<PublishChange['do'], MessageKey>> = {
  add: 'cli.add',
  replace: 'cli.replace',
  rename: 'cli.rename',
  delete: 'cli.delete',
  refuse: 'cli.refuse',
};

function planLines({ id, changes }: PublishPlan, title: string): string[] {
  if (changes.every((change) => change.do === 'refuse') && changes.length === 0) return [t('cli.nothingUp', { course: title })];
  const lines = changes.map(({ do: verb, path, from, size, modules, why }) => {
    const about = [
      ...(from ? [t('cli.from', { path: from })] : []),
      ...(size === null ? [] : [amount(size)]),
      ...(modules.length > 0 ? [t('cli.inModules', { modules: modules.join(', ') })] : []),
      ...(why ? [why === 'name' ? t('cli.renameFirst') : t('cli.nameTaken')] : []),
    ];
    return `  ${t(verbs[verb])}: ${path}${about.length > 0 ? ` (${about.join('; ')})` : ''}`;
  });
  return [t('cli.to', { course: title }), ...lines, t('cli.publishThis', { command: `carrel publish "${title}" --plan ${id}` })];
}

/** @throws Misused if there is not exactly one */
export function courseNamed({ cache }: Workspace, name: string) {
  const plain = name.toLowerCase();
  const found = places(cache).filter(
    ({ id, name: title, course_code }) => String(id) === name || title.toLowerCase() === plain || course_code?.toLowerCase() === plain,
  );
  if (found.length !== 1 || !found[0]) throw new Misused(found.length === 0 ? t('cli.noCourse', { name }) : t('cli.sayNumber', { name }));
  return found[0];
}
