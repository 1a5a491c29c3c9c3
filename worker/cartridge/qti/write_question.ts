// Writes a question as an item of QTI 1.2. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { QuestionData, StoredAnswer } from '../../domains/quiz_questions/table';
import type { XmlElement } from '../xml/read';
import { xml } from '../xml/write';
import { decimal, marginWidth } from './numbers';
import { mattext, spaces } from './texts';
import type { QtiQuestion } from './types';
import { answerWriters, type WrittenAnswers } from './write_answers';

/** Fields of metadata, by label; those without a value are left out. */
export const metadata = (fields: Readonly<Record<string, string | number | undefined>>): XmlElement =>
  xml(
    'qtimetadata',
    {},
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [xml('qtimetadatafield', {}, xml('fieldlabel', {}, name), xml('fieldentry', {}, value))],
    ),
  );

export const missingWordBlank = 'drop1';

/** A missing-word question is one drop-down between two texts. */
export function asDropdown(question: QtiQuestion): QtiQuestion {
  const { text_after_answers = '', ...data } = question.data;
  return {
    ...question,
    question_type: 'multiple_dropdowns_question',
    question_text: `${question.question_text} [${missingWordBlank}] ${text_after_answers}`,
    data: { ...data, answers: data.answers.map((one) => ({ ...one, blank_id: missingWordBlank })) },
  };
}

/** Margins that the bounds of an answer do not tell: percentages. */
function marginsOf({ answers }: QuestionData): string | undefined {
  const margins = answers.map(({ exact = 0, margin = 0, numerical_answer_type }) => {
    if (numerical_answer_type !== 'exact_answer') return '';
    const low = decimal(exact - marginWidth(exact, margin));
    return decimal(exact - low) === margin ? '' : String(margin);
  });
  return margins.some((one) => one !== '') ? margins.join(',') : undefined;
}

const isBlanks = (type: string) => type === 'fill_in_multiple_blanks_question';

const feedback = (ident: string, rich: { text?: string; html?: string }): XmlElement[] =>
  rich.text || rich.html ? [xml('itemfeedback', { ident }, xml('flow_mat', {}, xml('material', {}, mattext(rich))))] : [];

const shown = (linkrefid: string) => xml('displayfeedback', { feedbacktype: 'Response', linkrefid });
const condition = (isLast: boolean, when: readonly XmlElement[], ...then: (XmlElement | undefined)[]) =>
  xml('respcondition', { continue: isLast ? 'No' : 'Yes' }, xml('conditionvar', {}, when), then);

const hasComment = ({ comments, comments_html }: StoredAnswer) => Boolean(comments || comments_html);

interface Comments {
  readonly neutral: readonly XmlElement[];
  readonly correct: readonly XmlElement[];
  readonly incorrect: readonly XmlElement[];
}

function commentsOf(data: QuestionData): Comments {
  return {
    neutral: feedback('general_fb', { text: data.neutral_comments, html: data.neutral_comments_html }),
    correct: feedback('correct_fb', { text: data.correct_comments, html: data.correct_comments_html }),
    incorrect: feedback('general_incorrect_fb', { text: data.incorrect_comments, html: data.incorrect_comments_html }),
  };
}

function scoringOf({ scoring, commentOn, extension }: WrittenAnswers, { answers }: QuestionData, comments: Comments, isManual: boolean) {
  const commented = commentOn ? answers.filter(hasComment) : [];
  const onCorrect = comments.correct.length > 0 ? shown('correct_fb') : undefined;
  return xml(
    'resprocessing',
    {},
    xml('outcomes', {}, xml('decvar', { maxvalue: 100, minvalue: 0, varname: 'SCORE', vartype: 'Decimal' })),
    comments.neutral.length > 0 ? condition(false, [xml('other')], shown('general_fb')) : undefined,
    commented.map((one) => condition(false, commentOn?.(one) ?? [], shown(`${one.id}_fb`))),
    scoring.map(({ when, score, adds }) => {
      const setvar = xml('setvar', { varname: 'SCORE', action: adds ? 'Add' : 'Set' }, score);
      return condition(!adds, when, setvar, score === '0' ? undefined : onCorrect);
    }),
    isManual ? condition(true, [xml('other')], onCorrect) : undefined,
    comments.incorrect.length > 0 ? condition(false, [xml('other')], shown('general_incorrect_fb')) : undefined,
    extension,
  );
}

/** A type that this service does not score is written as its text alone, under its own name. */
export function writeQuestion(given: QtiQuestion): XmlElement {
  const isMissingWord = given.question_type === 'missing_word_question';
  const question = isMissingWord ? asDropdown(given) : given;
  const { question_type, data } = question;
  const write = lookUp(answerWriters, question_type) ?? (() => ({ responses: [], scoring: [] }));
  const written = write(data);
  const comments = commentsOf(data);
  const isManual = question_type === 'essay_question' || question_type === 'file_upload_question';
  const wrong = isBlanks(question_type) ? data.answers.filter(({ weight }) => weight <= 0).map(({ id }) => id) : [];
  return xml(
    'item',
    { ident: question.identifier, title: question.question_name },
    xml(
      'itemmetadata',
      {},
      metadata({
        question_type,
        points_possible: question.points_possible,
        original_answer_ids: data.answers.map(({ id }) => id).join(','),
        assessment_question_identifierref: question.bank_question,
        original_question_type: isMissingWord ? given.question_type : undefined,
        wrong_answer_ids: wrong.join(','),
        incorrect_dock: data.incorrect_dock,
        answer_margins: question_type === 'numerical_question' ? marginsOf(data) : undefined,
      }),
    ),
    xml(
      'presentation',
      {},
      xml('material', {}, xml('mattext', { texttype: 'text/html', ...spaces(question.question_text) }, question.question_text)),
      written.responses,
    ),
    question_type === 'text_only_question' ? undefined : scoringOf(written, data, comments, isManual),
    comments.neutral,
    comments.correct,
    comments.incorrect,
    data.answers.flatMap((one) => feedback(`${one.id}_fb`, { text: one.comments, html: one.comments_html })),
  );
}
