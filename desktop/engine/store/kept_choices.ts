// The stored choices of the user: what is synced, and which courses are graded here.

import type { Choices } from '../../contract/choices';
import { everything } from '../model/choices';
import { stored } from './damage';
import { durably } from './driver';
import type { UserStore } from './user';

/**
 * @param text undefined if the user has made no choice: then everything is wanted
 * @throws Damaged
 */
export function readChoices(text: string | undefined): Choices {
  if (text === undefined) return everything;
  const { marks, without, largest } = stored<Partial<Choices>>(text);
  return { ...everything, ...(marks && { marks }), ...(without && { without }), largest: largest ?? null };
}

const gradedSetting = 'graded courses';
/** The server accepts no more. */
const mostGraded = 100;

/** The courses whose students' work is on this computer. */
export const chosenForGrading = (user: UserStore): readonly number[] => stored<number[]>(user.setting(gradedSetting) ?? '[]');

export function chooseGraded(user: UserStore, courseId: number, isChosen: boolean): void {
  const others = chosenForGrading(user).filter((id) => id !== courseId);
  const chosen = isChosen ? [...others, courseId].slice(-mostGraded) : others;
  durably(user.database, () => user.set(gradedSetting, JSON.stringify(chosen)));
}

const folderedSetting = 'courses graded in folders';

const foldered = (user: UserStore): readonly number[] => stored<number[]>(user.setting(folderedSetting) ?? '[]');

/** The courses whose students' work is in folders, too. Only courses that are chosen for grading have it. */
export const gradedInFolders = (user: UserStore): readonly number[] => {
  const chosen = new Set(chosenForGrading(user));
  return foldered(user).filter((id) => chosen.has(id));
};

/** Turned on, it is chosen for grading as well. */
export function gradeInFolders(user: UserStore, courseId: number, isOn: boolean): void {
  const others = foldered(user).filter((id) => id !== courseId);
  if (isOn && !chosenForGrading(user).includes(courseId)) chooseGraded(user, courseId, true);
  durably(user.database, () => user.set(folderedSetting, JSON.stringify(isOn ? [...others, courseId] : others)));
}
