// Answers to questions of quizzes: as the user gives them, and as the server takes and returns them. Pure.

import type { AnswerParts, QuestionShape, QuizAnswer } from '../../contract/quizzes';
import type { AttemptQuestionJson } from '../model/quiz_resources';

const shapes: ReadonlyMap<string | undefined, QuestionShape> = new Map([
  ['multiple_choice_question', 'choice'],
  ['true_false_question', 'choice'],
  ['missing_word_question', 'choice'],
  ['multiple_answers_question', 'choices'],
  ['short_answer_question', 'line'],
  ['essay_question', 'text'],
  ['numerical_question', 'number'],
  ['calculated_question', 'number'],
  ['fill_in_multiple_blanks_question', 'blanks'],
  ['multiple_dropdowns_question', 'menus'],
  ['matching_question', 'pairs'],
  ['file_upload_question', 'files'],
]);

/** A type that the desk does not know takes no answer here. */
export const questionShape = ({ question_type }: Pick<AttemptQuestionJson, 'question_type'>): QuestionShape =>
  shapes.get(question_type) ?? 'none';

const isRecord = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/** Some servers send ids as texts. */
const idOf = (given: unknown): number | null => {
  const id = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
};
const idsOf = (given: unknown): number[] => (Array.isArray(given) ? given : []).flatMap((one) => idOf(one) ?? []);
const textOf = (given: unknown): string | null => (typeof given === 'string' || typeof given === 'number' ? String(given) : null);

const partsOf = <T extends string | number | null>(given: unknown, read: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(isRecord(given) ? given : {}).map(([name, value]) => [name, read(value)]));

/** What the server has. Files that it has are not answers of this computer. */
export function answerFrom(question: AttemptQuestionJson): QuizAnswer {
  const { answer } = question;
  switch (questionShape(question)) {
    case 'choice':
      return idOf(answer);
    case 'choices':
      return idsOf(answer);
    case 'line':
    case 'text':
    case 'number':
      return textOf(answer);
    case 'blanks':
      return partsOf(answer, textOf);
    case 'menus':
      return partsOf(answer, idOf);
    case 'pairs':
      return Object.fromEntries(
        (Array.isArray(answer) ? answer : []).filter(isRecord).map((pair) => [String(pair.answer_id), idOf(pair.match_id)]),
      );
    default:
      return null;
  }
}

/** The blanks of a question, in the order of its text. */
export function blanksIn({ question_text, answers, answer }: AttemptQuestionJson): readonly string[] {
  const named = new Set([...(answers ?? []).flatMap(({ blank_id }) => blank_id ?? []), ...Object.keys(isRecord(answer) ? answer : {})]);
  const text = question_text ?? '';
  const place = (name: string) => {
    const at = text.indexOf(`[${name}]`);
    return at < 0 ? text.length : at;
  };
  return [...named].sort((a, b) => place(a) - place(b));
}

/** Whether something is answered. */
export function isAnswered(answer: QuizAnswer): boolean {
  if (answer === null) return false;
  if (typeof answer === 'string') return answer.trim() !== '';
  if (typeof answer === 'number') return true;
  if (Array.isArray(answer)) return answer.length > 0;
  if ('files' in answer && Array.isArray(answer.files)) return answer.files.length > 0;
  return Object.values(answer as AnswerParts).some((part) => part !== null && String(part).trim() !== '');
}

/** As the server takes it. @param fileIds of a question that asks for files @param asHtml makes HTML of typed text */
export function answerToSend(
  shape: QuestionShape,
  answer: QuizAnswer,
  { fileIds, asHtml }: { readonly fileIds: readonly number[]; readonly asHtml: (text: string) => string },
): unknown {
  if (shape === 'files') return fileIds;
  if (!isAnswered(answer)) return shape === 'blanks' || shape === 'menus' || shape === 'pairs' ? cleared(shape, answer) : '';
  if (shape === 'text' && typeof answer === 'string') return asHtml(answer);
  // Spaces around a number would be refused, and a comma is a point in half the world.
  if (shape === 'number' && typeof answer === 'string') return answer.trim().replace(/^([-+]?\d*),(\d+)$/, '$1.$2');
  if (shape === 'pairs' || shape === 'blanks' || shape === 'menus') return cleared(shape, answer);
  return answer;
}

/** Parts without a value are sent, so that the server forgets them, too. */
function cleared(shape: QuestionShape, answer: QuizAnswer): unknown {
  const parts = isRecord(answer) ? (answer as AnswerParts) : {};
  if (shape !== 'pairs') return parts;
  return Object.entries(parts).map(([left, match_id]) => ({ answer_id: Number(left), match_id: match_id ?? '' }));
}

/** What is wrong with an answer before it is sent: only that a number is none. */
export function isUnreadable(shape: QuestionShape, answer: QuizAnswer): boolean {
  if (shape !== 'number' || !isAnswered(answer)) return false;
  return !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(String(answerToSend(shape, answer, { fileIds: [], asHtml: String })));
}
