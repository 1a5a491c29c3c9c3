// Writes QTI 1.2 documents of quizzes and question banks. Pure.

import type { XmlElement } from '../xml/read';
import { xml, xmlDocument } from '../xml/write';
import type { QtiAssessment, QtiBank, QtiEntry, QtiGroup } from './types';
import { metadata, writeQuestion } from './write_question';

export const assessmentNamespaces = {
  xmlns: 'http://www.imsglobal.org/xsd/ims_qtiasiv1p2',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xsi:schemaLocation': 'http://www.imsglobal.org/xsd/ims_qtiasiv1p2 http://www.imsglobal.org/xsd/ims_qtiasiv1p2p1.xsd',
};
const document = (child: XmlElement): string => xmlDocument(xml('questestinterop', assessmentNamespaces, child));

const section = ({ bank, ...group }: QtiGroup): XmlElement =>
  xml(
    'section',
    { ident: group.identifier, title: group.name },
    xml(
      'selection_ordering',
      {},
      xml(
        'selection',
        {},
        bank ? xml('sourcebank_ref', {}, bank.identifier) : undefined,
        xml('selection_number', {}, group.pick_count),
        xml(
          'selection_extension',
          {},
          xml('points_per_item', {}, group.question_points),
          bank?.context === undefined ? undefined : xml('sourcebank_context', {}, bank.context),
          bank?.isExternal ? xml('sourcebank_is_external', {}, true) : undefined,
        ),
      ),
    ),
    group.questions.map(writeQuestion),
  );

const entry = (one: QtiEntry): XmlElement =>
  'question' in one ? writeQuestion(one.question) : 'group' in one ? section(one.group) : xml('itemref', { linkrefid: one.reference });

export const attemptLimits = ({ time_limit, allowed_attempts }: QtiAssessment) => ({
  qmd_timelimit: time_limit,
  cc_maxattempts: allowed_attempts === -1 ? 'unlimited' : allowed_attempts,
});

/** The whole quiz, with every type of question. */
export const writeAssessment = (quiz: QtiAssessment): string =>
  document(
    xml(
      'assessment',
      { ident: quiz.identifier, title: quiz.title },
      metadata(attemptLimits(quiz)),
      xml('section', { ident: 'root_section' }, quiz.entries.map(entry)),
    ),
  );

export const writeBank = (bank: QtiBank): string =>
  document(xml('objectbank', { ident: bank.identifier }, metadata({ bank_title: bank.title }), bank.questions.map(writeQuestion)));
