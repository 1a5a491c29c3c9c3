// `response_fields[]` keeps the keys that it names, `exclude_response_fields[]` drops them: of every object that an answer tells.

import type { Tree } from '@carrel/shared/wire/form';
import { lookUp } from '@carrel/shared/wire/look_up';

const words = (given: unknown): string[] => [given].flat().filter((one) => typeof one === 'string' && one !== '') as string[];

/** @param inside the key under which objects of the answer hold lists of those that are chosen from, where they do */
export function withChosenFields(json: unknown, tree: Tree, inside?: string): unknown {
  const kept = words(tree.response_fields);
  const dropped = new Set(words(tree.exclude_response_fields));
  if (kept.length === 0 && dropped.size === 0) return json;
  const isWanted = (name: string) => (kept.length === 0 || kept.includes(name)) && !dropped.has(name);
  const choose = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(choose);
    if (one === null || typeof one !== 'object') return one;
    if (inside !== undefined && Object.hasOwn(one, inside))
      return { ...one, [inside]: choose(lookUp(one as Record<string, unknown>, inside)) };
    return Object.fromEntries(Object.entries(one).filter(([name]) => isWanted(name)));
  };
  return choose(json);
}
