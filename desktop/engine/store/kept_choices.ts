// The stored selective-sync choice.

import type { Choices } from '../../contract/choices';
import { everything } from '../model/choices';
import { stored } from './damage';

/**
 * @param text undefined if the user has made no choice: then everything is wanted
 * @throws Damaged
 */
export function readChoices(text: string | undefined): Choices {
  if (text === undefined) return everything;
  const { marks, without, largest } = stored<Partial<Choices>>(text);
  return { ...everything, ...(marks && { marks }), ...(without && { without }), largest: largest ?? null };
}
