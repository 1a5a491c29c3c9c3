// What was chosen to lie here, as it was stored.

import type { Choices } from '../ui/views/choices';
import { everything } from './choices';
import { stored } from './store/damage';

/**
 * @param text undefined where nothing was ever chosen: then everything is wanted
 * @throws Damaged
 */
export function readChoices(text: string | undefined): Choices {
  if (text === undefined) return everything;
  const { marks, without, largest } = stored<Partial<Choices>>(text);
  return { ...everything, ...(marks && { marks }), ...(without && { without }), largest: largest ?? null };
}
