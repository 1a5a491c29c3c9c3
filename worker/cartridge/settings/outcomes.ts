// learning_outcomes.xml of a Canvas package: groups that contain outcomes and other groups. Pure.

import { BadXml, elementsOf, firstElement, readXml, type XmlElement } from '../xml/read';
import { xml, xmlDocument } from '../xml/write';
import { canvasNamespaces, readFields, type ValuesOf, writeFields } from './fields';

const groupFields = { title: 'text', description: 'text', vendor_guid: 'text' } as const;
const outcomeFields = {
  title: 'text',
  description: 'text',
  display_name: 'text',
  friendly_description: 'text',
  calculation_method: 'text',
  calculation_int: 'number',
  vendor_guid: 'text',
  is_global_outcome: 'bool',
  points_possible: 'number',
  mastery_points: 'number',
} as const;
const alignmentFields = {
  content_type: 'text',
  content_id: 'text',
  mastery_type: 'text',
  mastery_score: 'number',
  position: 'number',
} as const;
const ratingFields = { description: 'text', points: 'number' } as const;

/** Descriptions are raw HTML. */
export interface PackagedOutcome extends ValuesOf<typeof outcomeFields> {
  readonly identifier: string;
  readonly ratings: readonly ValuesOf<typeof ratingFields>[];
  /** What else assesses it: question banks, by their identifiers. */
  readonly alignments: readonly ValuesOf<typeof alignmentFields>[];
}

export interface PackagedOutcomeGroup extends ValuesOf<typeof groupFields> {
  readonly identifier: string;
  readonly outcomes: readonly PackagedOutcome[];
  readonly groups: readonly PackagedOutcomeGroup[];
}

/** What the root group contains. */
export type PackagedOutcomes = Pick<PackagedOutcomeGroup, 'outcomes' | 'groups'>;

const outcomeElement = ({ identifier, ratings, alignments, ...values }: PackagedOutcome): XmlElement =>
  xml(
    'learningOutcome',
    { identifier },
    writeFields(outcomeFields, values),
    xml(
      'ratings',
      {},
      ratings.map((one) => xml('rating', {}, writeFields(ratingFields, one))),
    ),
    alignments.length === 0
      ? undefined
      : xml(
          'alignments',
          {},
          alignments.map((one) => xml('alignment', {}, writeFields(alignmentFields, one))),
        ),
  );

const content = ({ outcomes, groups }: PackagedOutcomes): XmlElement[] => [...outcomes.map(outcomeElement), ...groups.map(groupElement)];

function groupElement({ identifier, outcomes, groups, ...values }: PackagedOutcomeGroup): XmlElement {
  return xml(
    'learningOutcomeGroup',
    { identifier },
    writeFields(groupFields, values),
    xml('learningOutcomes', {}, content({ outcomes, groups })),
  );
}

export const writeOutcomes = (root: PackagedOutcomes): string => xmlDocument(xml('learningOutcomes', canvasNamespaces, content(root)));

const readOutcome = (element: XmlElement): PackagedOutcome => ({
  identifier: element.attributes.identifier ?? '',
  ...readFields(outcomeFields, element),
  ratings: elementsOf(firstElement(element, 'ratings'), 'rating').map((one) => readFields(ratingFields, one)),
  alignments: elementsOf(firstElement(element, 'alignments'), 'alignment').map((one) => readFields(alignmentFields, one)),
});

const readContent = (parent: XmlElement | undefined): PackagedOutcomes => ({
  outcomes: elementsOf(parent, 'learningOutcome').map(readOutcome),
  groups: elementsOf(parent, 'learningOutcomeGroup').map((one) => ({
    identifier: one.attributes.identifier ?? '',
    ...readFields(groupFields, one),
    ...readContent(firstElement(one, 'learningOutcomes')),
  })),
});

/** @throws BadXml */
export function readOutcomes(document: string): PackagedOutcomes {
  const root = readXml(document);
  if (root.name !== 'learningOutcomes') throw new BadXml('The document has no learning outcomes.');
  return readContent(root);
}
