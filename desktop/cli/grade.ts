// `carrel grade`: shows what the folders of students' work would send, asks, and sends exactly that.

import { createInterface } from 'node:readline/promises';
import type { FolderChoices, FolderGradePlan, FolderGradesSent, PlannedChange, PlannedGrade } from '../contract/grading_folders';
import type { Workspace } from '../engine/accounts/workspace';
import type { AssignmentJson } from '../engine/model/resources';
import { planFolderGrades, sendFolderGrades, switchGradingFolders } from '../engine/sync/graded_folders/send_folders';
import { t } from '../language/texts';
import { type Arguments, Misused } from './arguments';
import { courseNamed } from './publish';

type Given = Pick<Arguments, 'words' | 'plan' | 'yes' | 'conflicts' | 'json'>;
type Say = (line: string) => void;

/** Asks the user; false where no one can answer. */
export type Ask = (question: string) => Promise<boolean>;

/** Returns the exit status: 2 if something was not sent. */
export async function gradeByWords(study: Workspace, given: Given, say: Say, ask: Ask = askHere): Promise<number> {
  const { words } = given;
  if (words[0] === 'on' || words[0] === 'off') return switchByWords(study, words[0] === 'on', given, say);
  const place = placeOf(study, words);
  const plan = await planFolderGrades(study, place.course.id, place.assignment_id);
  const choices = choicesFor(plan, decisionOf(given));
  const left = hasMore(plan, choices) ? 2 : 0;
  if (!given.json && given.plan === undefined) for (const line of planLines(plan, place, choices)) say(line);
  if (!(await isAgreed(choices, given, ask))) {
    if (given.json) say(JSON.stringify({ plan }));
    else if (Object.keys(choices).length > 0) say(t('cli.gradeNotSent'));
    return left;
  }
  const sent = await sendFolderGrades(study, place.course.id, { plan: given.plan ?? plan.id, choices, assignment_id: place.assignment_id });
  if (given.json) say(JSON.stringify(sent));
  else for (const line of sentLines(sent, place, choices)) say(line);
  return sent.instead || sent.issues.length > 0 ? 2 : left;
}

function decisionOf({ conflicts }: Given): 'mine' | 'theirs' | undefined {
  if (conflicts === undefined || conflicts === 'mine' || conflicts === 'theirs') return conflicts;
  throw new Misused(t('cli.gradeDecide'));
}

function switchByWords(study: Workspace, on: boolean, { words, json }: Given, say: Say): number {
  const course = courseNamed(study, named(words.slice(1)));
  switchGradingFolders(study, course.id, on);
  say(json ? JSON.stringify({ course_id: course.id, on }) : t(on ? 'cli.gradeOn' : 'cli.gradeOff', { course: course.name }));
  return 0;
}

/** An outdated plan is refused later, so it counts as agreed on here. */
async function isAgreed(choices: FolderChoices, { plan, yes, json }: Given, ask: Ask): Promise<boolean> {
  const count = Object.keys(choices).length;
  if (plan !== undefined || (yes && count > 0)) return true;
  return !json && count > 0 && ask(t('cli.gradeAsk', { count }));
}

const hasMore = ({ assignments }: FolderGradePlan, choices: FolderChoices): boolean =>
  assignments.some(({ problems, changes }) => problems.length > 0 || changes.some(({ key }) => choices[key] === undefined));

async function askHere(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(y|yes|j|ja)$/i.test((await terminal.question(`${question} `)).trim());
  } finally {
    terminal.close();
  }
}

const named = (words: readonly string[]): string => {
  const name = words.join(' ');
  if (name === '') throw new Misused(t('cli.gradeCourse'));
  return name;
};

interface Place {
  readonly course: { readonly id: number; readonly name: string };
  readonly assignment_id: number | undefined;
  /** As it was typed, for a command that repeats it. */
  readonly typed: string;
}

/** The first words are the course; a name of several words has to be quoted if an assignment follows. */
function placeOf(study: Workspace, words: readonly string[]): Place {
  const [first = '', ...rest] = words;
  const typed = words.map((word) => (/^[\w-]+$/.test(word) ? word : `"${word}"`)).join(' ');
  if (rest.length === 0) return { course: courseNamed(study, named(words)), assignment_id: undefined, typed };
  const whole = courseOr(study, words.join(' '));
  if (whole) return { course: whole, assignment_id: undefined, typed };
  const course = courseNamed(study, first);
  return { course, assignment_id: assignmentNamed(study, course, rest.join(' ')), typed };
}

function courseOr(study: Workspace, name: string): Place['course'] | undefined {
  try {
    return courseNamed(study, name);
  } catch (problem) {
    if (problem instanceof Misused) return undefined;
    throw problem;
  }
}

function assignmentNamed({ cache, user }: Workspace, { id, name: course }: Place['course'], name: string): number {
  const plain = name.toLowerCase();
  const kept = new Set(user.graded.folders(id).map(({ assignment_id }) => assignment_id));
  const found = cache
    .ofCourse<AssignmentJson>('assignment', id)
    .filter((one) => kept.has(one.id) && (String(one.id) === name || one.name.toLowerCase() === plain));
  if (found.length === 1 && found[0]) return found[0].id;
  throw new Misused(found.length === 0 ? t('cli.noAssignment', { course, name }) : t('cli.sayAssignment', { name }));
}

/** Everything without a conflict; conflicts as the user has said. */
const choicesFor = ({ assignments }: FolderGradePlan, conflicts: 'mine' | 'theirs' | undefined): FolderChoices =>
  Object.fromEntries(
    assignments
      .flatMap(({ changes }) => changes)
      .flatMap(({ key, conflict }): [string, FolderChoices[string]][] =>
        conflict ? (conflicts ? [[key, conflicts]] : []) : [[key, 'send']],
      ),
  );

function planLines({ id, assignments, is_offline }: FolderGradePlan, { course, typed }: Place, choices: FolderChoices): string[] {
  if (assignments.length === 0) return [t('cli.gradeNothing', { course: course.name })];
  const lines = assignments.flatMap(({ title, changes, problems }) => [
    `${title}:`,
    ...changes.map((change) => `  ${change.name}: ${changeText(change, choices)}`),
    ...problems.map(({ where, row, why }) => `  ${where}: ${row === null ? why : t('cli.gradeRow', { row, why })}`),
  ]);
  const some = Object.keys(choices).length > 0;
  return [
    ...(is_offline ? [t('cli.gradeOffline')] : []),
    ...lines,
    ...(some ? [t('cli.gradeThis', { command: `carrel grade ${typed} --plan ${id}` })] : []),
  ];
}

const gradeText = ({ grade, excused }: PlannedGrade): string => (excused ? t('folders.excused') : (grade ?? t('folders.noGrade')));

function changeText({ key, from, to, comment, files, for_attempt, conflict }: PlannedChange, choices: FolderChoices): string {
  const parts = [
    ...(to ? [`${gradeText(from)} → ${gradeText(to)}`] : []),
    ...(comment === null ? [] : [t('cli.gradeComment', { text: comment })]),
    ...(files.length === 0 ? [] : [t('cli.gradeFiles', { count: files.length, names: files.map(({ name }) => name).join(', ') })]),
    ...(for_attempt === null ? [] : [t('folders.forAttempt', { attempt: for_attempt })]),
    ...(conflict && choices[key] === undefined
      ? [t('cli.gradeConflict', { why: conflictText(conflict), grade: gradeText(conflict) })]
      : []),
  ];
  return parts.join('; ');
}

const conflictText = ({ why, grader }: NonNullable<PlannedChange['conflict']>): string =>
  why === 'newer attempt' ? t('folders.newerAttempt') : t('folders.gradedMeanwhile', { grader: grader ?? 'none' });

function sentLines({ instead, sent, waiting, issues }: FolderGradesSent, place: Place, choices: FolderChoices): string[] {
  if (instead) return [t('cli.gradeStale'), ...planLines(instead, place, choices)];
  return [
    t('cli.gradeSent', { count: sent, course: place.course.name }),
    ...(waiting > 0 ? [t('cli.gradeWaiting', { count: waiting })] : []),
    ...issues.map(({ where, why }) => `  ${where}: ${why}`),
  ];
}
