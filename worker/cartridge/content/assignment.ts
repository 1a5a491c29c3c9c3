// Assignments of Common Cartridge 1.3. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type AssignmentSettings, readAssignment } from '../settings/assignment';
import { BadXml, descendants, firstElement, readXml, spacedTextOf, textAt } from '../xml/read';
import { xmlText } from '../xml/write';

const formats: Readonly<Record<string, string>> = {
  html: 'online_text_entry',
  text: 'online_text_entry',
  url: 'online_url',
  file: 'online_upload',
};

/**
 * Its settings, those of Canvas where the document has them, and its text as raw HTML.
 * @throws BadXml
 */
export function readPortableAssignment(
  document: string,
  identifier: string,
): { readonly settings: AssignmentSettings; readonly html: string } {
  const root = readXml(document);
  if (root.name !== 'assignment') throw new BadXml('The document is no assignment.');
  const own = firstElement(root, 'extensions', 'assignment');
  const text = firstElement(root, 'text');
  const content = spacedTextOf(text);
  const gradable = firstElement(root, 'gradable');
  const points = Number(gradable?.attributes.points_possible ?? Number.NaN);
  const types = descendants(firstElement(root, 'submission_formats'), 'format').flatMap(
    ({ attributes }) => lookUp(formats, attributes.type?.toLowerCase() ?? '') ?? [],
  );
  return {
    settings: {
      title: textAt(root, 'title') ?? '',
      ...(Number.isFinite(points) ? { points_possible: points } : {}),
      ...(gradable && spacedTextOf(gradable) === 'false' ? { grading_type: 'not_graded' } : {}),
      submission_types: [...new Set(types)],
      ...(own ? readAssignment(own) : {}),
      identifier,
    },
    html: text?.attributes.texttype?.toLowerCase() === 'text/plain' ? xmlText(content).replaceAll('\n', '<br>') : content,
  };
}
