// `response_fields[]` keeps the named keys and `exclude_response_fields[]` drops them, in every object of a response.

import type { FormTree } from '@carrel/shared/wire/form';
import { lookUp } from '@carrel/shared/wire/look_up';

const words = (given: unknown): string[] => [given].flat().filter((one) => typeof one === 'string' && one !== '') as string[];

/** @param inside the key of nested lists to apply this to, if any */
export function withChosenFields(json: unknown, tree: FormTree, inside?: string): unknown {
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
