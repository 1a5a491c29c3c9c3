// Reads a QTI 1.2 document: quizzes with their groups, question banks and loose questions. Pure.

import { BadXml, boolAt, descendants, elementsOf, firstElement, numberAt, readXml, textAt, type XmlElement } from '../xml/read';
import { metadataFieldsOf } from './item';
import { readQuestion } from './read_question';
import type { PackageIssue, QtiAssessment, QtiBank, QtiContent, QtiEntry, QtiGroup, QtiQuestion } from './types';

/** Questions of one document. */
const mostQuestions = 20_000;

class Reading {
  readonly issues: PackageIssue[] = [];
  private count = 0;

  question(element: XmlElement): QtiQuestion {
    this.count += 1;
    if (this.count > mostQuestions) throw new BadXml(`A document may have at most ${mostQuestions} questions.`);
    const { question, issues } = readQuestion(element);
    this.issues.push(...issues);
    return question;
  }

  group(section: XmlElement, selection: XmlElement): QtiGroup {
    const questions = descendants(section, 'item').map((one) => this.question(one));
    const extension = firstElement(selection, 'selection_extension');
    const identifier = textAt(selection, 'sourcebank_ref') ?? textAt(extension, 'sourcebank_ref');
    const context = textAt(extension, 'sourcebank_context');
    const bank =
      identifier === undefined
        ? {}
        : {
            bank: {
              identifier,
              ...(context === undefined ? {} : { context }),
              isExternal: boolAt(extension, 'sourcebank_is_external') ?? false,
            },
          };
    return {
      identifier: section.attributes.ident ?? '',
      name: section.attributes.title || 'Question Group',
      pick_count: Math.max(0, Math.round(numberAt(selection, 'selection_number') ?? questions.length)),
      question_points: Math.max(0, numberAt(extension, 'points_per_item') ?? questions[0]?.points_possible ?? 1),
      ...bank,
      questions,
    };
  }

  entries(section: XmlElement): QtiEntry[] {
    return elementsOf(section).flatMap((one): QtiEntry[] => {
      if (one.name === 'item') return [{ question: this.question(one) }];
      if (one.name === 'itemref') return [{ reference: one.attributes.linkrefid ?? '' }];
      if (one.name !== 'section') return [];
      const selection = firstElement(one, 'selection_ordering', 'selection');
      return selection ? [{ group: this.group(one, selection) }] : this.entries(one);
    });
  }

  assessment(element: XmlElement): QtiAssessment {
    const fields = metadataFieldsOf(element);
    const minutes = Number(fields.get('qmd_timelimit') ?? Number.NaN);
    const attempts = fields.get('cc_maxattempts');
    const allowed = attempts?.toLowerCase() === 'unlimited' ? -1 : Number(attempts ?? Number.NaN);
    return {
      identifier: element.attributes.ident ?? '',
      title: element.attributes.title || 'Unnamed Quiz',
      entries: this.entries(element),
      ...(minutes > 0 ? { time_limit: Math.ceil(minutes) } : {}),
      ...(Number.isInteger(allowed) && allowed !== 0 ? { allowed_attempts: Math.max(-1, allowed) } : {}),
    };
  }

  bank(element: XmlElement): QtiBank {
    return {
      identifier: element.attributes.ident ?? '',
      title: metadataFieldsOf(element).get('bank_title') || element.attributes.title || 'Question Bank',
      questions: descendants(element, 'item').map((one) => this.question(one)),
    };
  }
}

/**
 * The content of one QTI document, for example of `<key>/assessment_qti.xml`, `<key>/<key>.xml` or `non_cc_assessments/<key>.xml.qti`. Texts in
 * HTML are raw. What is not understood is an issue.
 * @throws BadXml for a document that is not well-formed or no QTI 1.2, with a message for the user
 */
export function readQti(document: string): QtiContent {
  const root = readXml(document);
  if (root.name !== 'questestinterop') throw new BadXml('The document is not QTI 1.2.');
  const reading = new Reading();
  const assessments = elementsOf(root, 'assessment').map((one) => reading.assessment(one));
  const banks = elementsOf(root, 'objectbank').map((one) => reading.bank(one));
  const loose = elementsOf(root).flatMap((one) =>
    one.name === 'item'
      ? [reading.question(one)]
      : one.name === 'section'
        ? descendants(one, 'item').map((each) => reading.question(each))
        : [],
  );
  return { assessments, banks, questions: loose, issues: reading.issues };
}
