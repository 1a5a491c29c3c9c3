// The document of a quiz that every Common Cartridge reader understands: five types of questions, without groups. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { XmlElement } from '../xml/read';
import { xml, xmlDocument } from '../xml/write';
import type { QtiAssessment, QtiQuestion } from './types';
import { assessmentNamespaces, attemptLimits } from './write';
import { metadata, writeQuestion } from './write_question';

const profiles: Readonly<Record<string, string>> = {
  multiple_choice_question: 'cc.multiple_choice.v0p1',
  multiple_answers_question: 'cc.multiple_response.v0p1',
  true_false_question: 'cc.true_false.v0p1',
  short_answer_question: 'cc.fib.v0p1',
  essay_question: 'cc.essay.v0p1',
};

function portableItem(question: QtiQuestion): XmlElement[] {
  const cc_profile = lookUp(profiles, question.question_type);
  if (cc_profile === undefined) return [];
  const item = writeQuestion(question);
  const isScored = question.question_type !== 'essay_question';
  const about = xml('itemmetadata', {}, metadata({ cc_profile, qmd_computerscored: isScored ? undefined : 'No' }));
  return [{ ...item, children: [about, ...item.children.slice(1)] }];
}

/** Groups are flattened to as many questions as an attempt presents. */
export const writePortableAssessment = (quiz: QtiAssessment): string =>
  xmlDocument(
    xml(
      'questestinterop',
      assessmentNamespaces,
      xml(
        'assessment',
        { ident: quiz.identifier, title: quiz.title },
        metadata({
          cc_profile: 'cc.exam.v0p1',
          qmd_assessmenttype: 'Examination',
          qmd_scoretype: 'Percentage',
          ...attemptLimits(quiz),
        }),
        xml(
          'section',
          { ident: 'root_section' },
          quiz.entries.flatMap((entry) =>
            'question' in entry
              ? portableItem(entry.question)
              : 'group' in entry
                ? entry.group.questions.slice(0, entry.group.pick_count).flatMap(portableItem)
                : [],
          ),
        ),
      ),
    ),
  );
