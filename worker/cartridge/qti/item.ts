// The parts of a QTI 1.2 item of any writer: metadata, responses, conditions and feedback. Pure.

import { descendants, elementsOf, firstElement, spacedTextOf, textAt, type XmlElement } from '../xml/read';
import { htmlOfMaterial, materialsOf, type Rich, richOf } from './texts';

export interface Response {
  readonly ident: string;
  /** `response_lid`, `response_str`, `response_num` and others. */
  readonly kind: string;
  readonly isMultiple: boolean;
  readonly fibtype: string;
  /** What is beside the response. */
  readonly prompt: Rich;
  readonly labels: readonly { readonly ident: string; readonly content: Rich }[];
}

/** One comparison of a condition. */
export interface Test {
  /** `varequal`, `vargte`, `varsubstring` and others. */
  readonly name: string;
  readonly respident: string;
  readonly value: string;
  readonly isNegated: boolean;
}

export interface ScoringCondition {
  readonly tests: readonly Test[];
  /** Undefined if it does not score. */
  readonly score: number | undefined;
  /** The idents of the feedback that it shows. */
  readonly shows: readonly string[];
}

export interface Item {
  readonly element: XmlElement;
  readonly fields: ReadonlyMap<string, string>;
  readonly responses: readonly Response[];
  readonly conditions: readonly ScoringCondition[];
  readonly feedback: ReadonlyMap<string, Rich>;
}

/** Labels and entries of the metadata of an item, section or assessment; also of the older elements `qmd_…`. */
export function metadataFieldsOf(element: XmlElement): Map<string, string> {
  const own = elementsOf(element).filter(({ name }) => name === 'qtimetadata' || name === 'itemmetadata');
  const fields = own.flatMap((one) => descendants(one, 'qtimetadatafield'));
  const older = own.flatMap((one) => elementsOf(one)).filter(({ name }) => name.startsWith('qmd_'));
  return new Map([
    ...older.map((one): [string, string] => [one.name, spacedTextOf(one)]),
    ...fields.flatMap((field): [string, string][] => {
      const label = textAt(field, 'fieldlabel');
      return label === undefined ? [] : [[label, textAt(field, 'fieldentry') ?? '']];
    }),
  ]);
}

const responseKinds = ['response_lid', 'response_str', 'response_num', 'response_xy', 'response_grp'];
const renders = ['render_choice', 'render_fib', 'render_hotspot', 'render_slider', 'render_extension'];

const richIn = (element: XmlElement): Rich => {
  const [first, ...others] = materialsOf(element, ...renders, ...responseKinds);
  if (!first) return { text: '' };
  if (others.length === 0 && first.name !== 'matimage') return richOf(first);
  const html = [first, ...others].map(htmlOfMaterial).join(' ');
  return { ...richOf({ name: 'mattext', attributes: { texttype: 'text/html' }, children: [html] }) };
};

function responseOf(element: XmlElement): Response {
  const fib = descendants(element, 'render_fib')[0];
  return {
    ident: element.attributes.ident ?? '',
    kind: element.name,
    isMultiple: element.attributes.rcardinality?.toLowerCase() === 'multiple',
    fibtype: fib?.attributes.fibtype?.toLowerCase() ?? '',
    prompt: richIn(element),
    labels: descendants(element, 'response_label').map((one) => ({ ident: one.attributes.ident ?? '', content: richIn(one) })),
  };
}

const comparisons = ['varequal', 'vargte', 'vargt', 'varlte', 'varlt', 'varsubset', 'varsubstring', 'varinside'];

function testsOf(element: XmlElement, isNegated = false): Test[] {
  return elementsOf(element).flatMap((one) =>
    comparisons.includes(one.name)
      ? [{ name: one.name, respident: one.attributes.respident ?? '', value: spacedTextOf(one), isNegated }]
      : testsOf(one, one.name === 'not' ? !isNegated : isNegated),
  );
}

function conditionOf(element: XmlElement): ScoringCondition {
  const values = elementsOf(element, 'setvar').map((one) => ({ action: one.attributes.action ?? 'Set', value: Number(spacedTextOf(one)) }));
  const scores = values.filter(({ value }) => Number.isFinite(value));
  const signed = scores.map(({ action, value }) => (action === 'Subtract' ? -value : value));
  return {
    tests: elementsOf(element, 'conditionvar').flatMap((one) => testsOf(one)),
    score: signed.length === 0 ? undefined : signed.reduce((sum, one) => sum + one, 0),
    shows: elementsOf(element, 'displayfeedback').map((one) => one.attributes.linkrefid ?? ''),
  };
}

export function itemOf(element: XmlElement): Item {
  const presentation = firstElement(element, 'presentation');
  return {
    element,
    fields: metadataFieldsOf(element),
    responses: presentation ? descendants(presentation, ...responseKinds).map(responseOf) : [],
    conditions: elementsOf(element, 'resprocessing').flatMap((one) => elementsOf(one, 'respcondition').map(conditionOf)),
    feedback: new Map(elementsOf(element, 'itemfeedback').map((one) => [one.attributes.ident ?? '', richIn(one)])),
  };
}

/** The text of the question: what its presentation says outside of its responses. */
export function questionTextOf({ element }: Item): string {
  const presentation = firstElement(element, 'presentation');
  return presentation
    ? materialsOf(presentation, ...responseKinds)
        .map(htmlOfMaterial)
        .join('\n')
    : '';
}

/** The text with the names of blanks, in brackets, where their fields are. */
export function textWithBlanks({ element }: Item): string {
  const within = (parent: XmlElement): string[] =>
    elementsOf(parent).flatMap((one) =>
      responseKinds.includes(one.name)
        ? [`[${one.attributes.ident ?? ''}]`]
        : ['mattext', 'matemtext', 'matimage'].includes(one.name)
          ? [htmlOfMaterial(one)]
          : within(one),
    );
  const presentation = firstElement(element, 'presentation');
  return presentation ? within(presentation).join(' ') : '';
}
