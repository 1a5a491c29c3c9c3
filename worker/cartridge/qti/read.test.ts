import { describe, expect, it } from 'vitest';
import { BadXml } from '../xml/read';
import { readQti } from './read';

/** Items as other writers make them. */
const items = (...all: readonly string[]) =>
  readQti(
    `<?xml version="1.0"?>\n<!DOCTYPE questestinterop SYSTEM "ims_qtiasiv1p2.dtd">\n<questestinterop><assessment ident="a" title="Imported"><section>${all.join('\n')}</section></assessment></questestinterop>`,
  );
const only = (item: string) => {
  const { assessments, issues } = items(item);
  const [entry] = assessments[0]?.entries ?? [];
  return { question: entry && 'question' in entry ? entry.question : undefined, issues };
};

const metadata = (fields: Readonly<Record<string, string>>) =>
  `<itemmetadata><qtimetadata>${Object.entries(fields)
    .map(([label, entry]) => `<qtimetadatafield><fieldlabel> ${label} </fieldlabel><fieldentry>${entry}</fieldentry></qtimetadatafield>`)
    .join('')}</qtimetadata></itemmetadata>`;
const label = (ident: string, text: string) =>
  `<response_label ident="${ident}"><material><mattext>${text}</mattext></material></response_label>`;
const choice = (cardinality: string, ...labels: readonly string[]) => `
  <presentation><flow><material><mattext texttype="text/html">
      <![CDATA[<p>Which &amp; why?</p>]]>
  </mattext></material>
  <response_lid ident="R" rcardinality="${cardinality}"><render_choice>${labels.join('\n')}</render_choice></response_lid></flow></presentation>`;
const right = (when: string, value = '1', then = '') =>
  `<respcondition><conditionvar>${when}</conditionvar><setvar varname="SCORE" action="Set">${value}</setvar>${then}</respcondition>`;
const is = (value: string, respident = 'R') => `<varequal respident="${respident}"> ${value} </varequal>`;

describe('questions of other writers', () => {
  it('single choice with CDATA, spaces, words as idents and feedback of an answer', () => {
    const { question, issues } =
      only(`<item ident="i1" title="Cities">${choice('Single', label('A', ' Rome &#38; all '), label('B', 'Par&#x69;s'))}
      <resprocessing>${right(is('A'), '100', '<displayfeedback linkrefid="well_done"/>')}
      <respcondition><conditionvar>${is('B')}</conditionvar><displayfeedback linkrefid="sorry"/></respcondition></resprocessing>
      <itemfeedback ident="well_done"><material><mattext>Well done</mattext></material></itemfeedback>
      <itemfeedback ident="sorry"><flow_mat><material><mattext>No, &lt;b&gt;Rome&lt;/b&gt;</mattext></material></flow_mat></itemfeedback></item>`);
    expect(issues).toEqual([]);
    expect(question).toEqual({
      identifier: 'i1',
      question_name: 'Cities',
      question_type: 'multiple_choice_question',
      question_text: '<p>Which &amp; why?</p>',
      points_possible: 1,
      data: {
        correct_comments: 'Well done',
        answers: [
          { id: 1, text: 'Rome & all', comments: '', weight: 100 },
          { id: 2, text: 'Paris', comments: 'No, Rome', comments_html: 'No, <b>Rome</b>', weight: 0 },
        ],
      },
    });
  });

  it('the best of several choices with points is right', () => {
    const { question } = only(
      `<item ident="i">${metadata({ qmd_weighting: '4' })}${choice('Single', label('A', 'a'), label('B', 'b'))}<resprocessing>${right(is('A'), '2')}${right(is('B'), '4')}</resprocessing></item>`,
    );
    expect([question?.points_possible, question?.data.answers.map(({ weight }) => weight)]).toEqual([4, [0, 100]]);
  });

  it.each([
    ['in one condition', right(`<and>${is('A')}<not>${is('B')}</not>${is('C')}</and>`), undefined],
    [
      'in a condition each, with deductions',
      `${right(is('A'), '50')}${right(is('C'), '50')}<respcondition><conditionvar>${is('B')}</conditionvar><setvar action="Subtract">25</setvar></respcondition>`,
      1,
    ],
  ])('several answers %s', (_, conditions, incorrect_dock) => {
    const { question } = only(
      `<item ident="i">${metadata({ points_possible: '4' })}${choice('Multiple', label('A', 'a'), label('B', 'b'), label('C', 'c'))}<resprocessing>${conditions}</resprocessing></item>`,
    );
    expect(question?.question_type).toBe('multiple_answers_question');
    expect(question?.data.answers.map(({ weight }) => weight)).toEqual([100, 0, 100]);
    expect(question?.data.incorrect_dock).toBe(incorrect_dock);
  });

  const fib = (idents: readonly string[], attributes = '') =>
    `<presentation>${idents.map((ident) => `<material><mattext>Before ${ident}</mattext></material><response_str ident="${ident}"><render_fib ${attributes}/></response_str>`).join('')}</presentation>`;

  it.each([
    ['true_false_question', choice('Single', label('t', 'True'), label('f', 'FALSE')), right(is('t'))],
    ['short_answer_question', fib(['R']), right(`<or>${is('colour')}${is('color')}</or>`)],
    ['essay_question', fib(['R']), ''],
    ['numerical_question', fib(['R'], 'fibtype="Integer"'), right(is('42'))],
    ['fill_in_multiple_blanks_question', fib(['one', 'two']), right(is('x', 'one')) + right(is('y', 'two'))],
    ['text_only_question', '<presentation><material><mattext>Read this</mattext></material></presentation>', ''],
    [
      'matching_question',
      `<presentation>${['L1', 'L2'].map((left) => `<response_lid ident="${left}"><material><mattext>${left}</mattext></material><render_choice>${label('x', 'X')}${label('y', 'Y')}</render_choice></response_lid>`).join('')}</presentation>`,
      right(is('y', 'L1')) + right(is('x', 'L2')),
    ],
  ])('%s is recognised by its parts', (type, presentation, conditions) => {
    const { question, issues } = only(`<item ident="i" title="t">${presentation}<resprocessing>${conditions}</resprocessing></item>`);
    expect([question?.question_type, issues]).toEqual([type, []]);
  });

  it('blanks that are typed into the text', () => {
    const { question } = only(
      `<item ident="i">${fib(['one', 'two'])}<resprocessing>${right(is('x', 'one'))}${right(is('y', 'two'))}</resprocessing></item>`,
    );
    expect(question?.question_text).toBe('Before one [one] Before two [two]');
    expect(question?.data.answers).toEqual([
      { id: 1, blank_id: 'one', text: 'x', comments: '', weight: 100 },
      { id: 2, blank_id: 'two', text: 'y', comments: '', weight: 100 },
    ]);
  });

  it.each([
    ['cc.multiple_choice.v0p1', 'multiple_choice_question'],
    ['cc.multiple_response.v0p1', 'multiple_answers_question'],
    ['cc.true_false.v0p1', 'true_false_question'],
  ])('the profile %s', (cc_profile, type) => {
    const { question } = only(
      `<item ident="i">${metadata({ cc_profile })}${choice('Single', label('A', 'a'))}<resprocessing>${right(is('A'))}</resprocessing></item>`,
    );
    expect(question?.question_type).toBe(type);
  });

  it('images and XHTML become HTML', () => {
    const { question } = only(
      '<item ident="i"><presentation><material><mattext texttype="text/xhtml"><p xmlns="http://www.w3.org/1999/xhtml">A <b>b</b> &lt; c<br/></p><span/></mattext><matimage uri="a&amp;b.png" label="x"/></material></presentation></item>',
    );
    expect(question?.question_text).toBe('<p>A <b>b</b> &lt; c<br></p><span></span>\n<img src="a&amp;b.png" alt="x">');
  });

  it('the same idents in several drop-downs are different answers', () => {
    const menu = (blank: string) =>
      `<response_lid ident="response_${blank}"><material><mattext>${blank}</mattext></material><render_choice>${label('1', `${blank} yes`)}${label('2', 'no')}</render_choice></response_lid>`;
    const { question } = only(
      `<item ident="i">${metadata({ question_type: 'multiple_dropdowns_question' })}<presentation>${menu('a')}${menu('b')}</presentation><resprocessing>${right(is('1', 'response_a'))}${right(is('2', 'response_b'))}</resprocessing></item>`,
    );
    const answers = question?.data.answers ?? [];
    expect(answers.map(({ blank_id, weight }) => [blank_id, weight])).toEqual([
      ['a', 100],
      ['a', 0],
      ['b', 0],
      ['b', 100],
    ]);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(4);
  });
});

describe('what is not understood', () => {
  it('a type that no one knows keeps its text and is an issue', () => {
    const { question, issues } = only(
      `<item ident="i" title="Draw">${metadata({ question_type: 'drawing_question', points_possible: '3' })}<presentation><material><mattext>Draw it</mattext></material></presentation></item>`,
    );
    expect(question).toMatchObject({ question_type: 'text_only_question', question_text: 'Draw it', points_possible: 0 });
    expect(issues).toEqual([
      { type: 'warning', message: 'The question "Draw" has the unknown type "drawing_question"; only its text was imported.' },
    ]);
  });

  it('a question without a right answer is an issue', () =>
    expect(only(`<item ident="i" title="Q">${choice('Single', label('A', 'a'))}</item>`).issues).toEqual([
      { type: 'warning', message: 'The question "Q" has no correct answer.' },
    ]));

  it('points that are no number are one point', () =>
    expect(
      only(`<item ident="i">${metadata({ points_possible: 'many' })}${choice('Single', label('A', 'a'))}</item>`).question?.points_possible,
    ).toBe(1));

  it('questions outside of a quiz, and sections without a choice', () => {
    const item = '<item ident="i"><presentation/></item>';
    expect(readQti(`<questestinterop>${item}</questestinterop>`).questions).toHaveLength(1);
    expect(items(`<section ident="s"><section>${item}</section>${item}</section>`).assessments[0]?.entries).toHaveLength(2);
  });

  it.each([
    ['no XML', 'Hello'],
    ['an unclosed element', '<questestinterop><assessment></questestinterop>'],
    ['another document', '<html></html>'],
    ['declared entities', '<!DOCTYPE q [<!ENTITY a "aaaa">]><questestinterop>&a;</questestinterop>'],
    ['an external entity', '<!DOCTYPE q [ <!ENTITY x SYSTEM "file:///etc/passwd"> ]><questestinterop/>'],
    ['deep nesting', `<questestinterop>${'<section>'.repeat(200)}${'</section>'.repeat(200)}</questestinterop>`],
    ['members of prototypes', '<questestinterop><__proto__>1</__proto__></questestinterop>'],
    ['two roots', '<questestinterop/><questestinterop/>'],
    ['nothing', ''],
  ])('%s is refused', (_, text) => expect(() => readQti(text)).toThrow(BadXml));

  it('names of inherited members are unknown types', () => {
    const { question, issues } = only(
      `<item ident="i" title="t">${metadata({ question_type: 'constructor' })}<presentation><material><mattext>x</mattext></material></presentation></item>`,
    );
    expect([question?.question_type, issues.length]).toEqual(['text_only_question', 1]);
  });
});
