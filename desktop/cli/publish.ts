// `carrel publish`: a plan of what a course would get, and then exactly that plan.

import { places } from '../engine/places';
import { planPublishing, publish, switchPublishing } from '../engine/publish';
import type { Study } from '../engine/study';
import type { PublishChange, Published, PublishPlan } from '../ui/views/publish';
import { type Arguments, Misused } from './arguments';
import { amount } from './words';

export interface Said {
  readonly plan?: PublishPlan;
  readonly published?: Published;
  readonly lines: readonly string[];
}

export async function publishByWords(study: Study, { words, plan: agreed }: Pick<Arguments, 'words' | 'plan'>): Promise<Said> {
  const verb = words[0] === 'on' || words[0] === 'off' ? words[0] : undefined;
  const name = (verb ? words.slice(1) : words).join(' ');
  if (name === '') throw new Misused('Say which course: carrel publish COURSE.');
  const { id, name: title } = courseNamed(study, name);
  if (verb) {
    switchPublishing(study, id, verb === 'on');
    return {
      lines: [
        verb === 'on' ? `Files of ${title} go both ways. What would go up: carrel publish ${title}` : `Files of ${title} only come down.`,
      ],
    };
  }
  if (agreed !== undefined) {
    const published = await publish(study, id, agreed);
    if (published.instead)
      return {
        published,
        plan: published.instead,
        lines: ['This is no longer what would change. Nothing was done. Now it is:', ...planLines(published.instead, title)],
      };
    return {
      published,
      lines: [`${published.sent} changes published to ${title}.`, ...published.issues.map(({ where, why }) => `  ${where}: ${why}`)],
    };
  }
  const plan = await planPublishing(study, id);
  return { plan, lines: planLines(plan, title) };
}

const words: Readonly<Record<PublishChange['do'], string>> = {
  add: 'new',
  replace: 'new version',
  rename: 'moved',
  delete: 'DELETED',
  refuse: 'cannot go up',
};

function planLines({ id, changes }: PublishPlan, title: string): string[] {
  if (changes.every((change) => change.do === 'refuse') && changes.length === 0) return [`${title} has all that lies in its folder here.`];
  const lines = changes.map(({ do: verb, path, from, size, modules, why }) => {
    const about = [
      ...(from ? [`from ${from}`] : []),
      ...(size === null ? [] : [amount(size)]),
      ...(modules.length > 0 ? [`in ${modules.join(', ')}`] : []),
      ...(why ? [why === 'name' ? 'rename it first' : 'another has this name'] : []),
    ];
    return `  ${words[verb]}: ${path}${about.length > 0 ? ` (${about.join('; ')})` : ''}`;
  });
  return [`To ${title}:`, ...lines, `Publish exactly this: carrel publish "${title}" --plan ${id}`];
}

function courseNamed({ cache }: Study, name: string) {
  const plain = name.toLowerCase();
  const found = places(cache).filter(
    ({ id, name: title, course_code }) => String(id) === name || title.toLowerCase() === plain || course_code?.toLowerCase() === plain,
  );
  if (found.length !== 1 || !found[0])
    throw new Misused(found.length === 0 ? `There is no course ${name}.` : `${name} is called alike more than once: say its number.`);
  return found[0];
}
