// The settings of a discussion topic in a package, with those of its assignment. Pure.

import { firstElement, readXml } from '../xml/read';
import { xmlDocument } from '../xml/write';
import { type AssignmentSettings, readAssignment, writeAssignment } from './assignment';
import { type Packaged, readSettings, settingsElement } from './shape';
import { topicShape } from './shapes';

export type TopicSettings = Packaged<typeof topicShape> & {
  /** Of a graded discussion. */
  readonly assignment?: AssignmentSettings;
};

export function writeTopicSettings({ assignment, ...values }: TopicSettings): string {
  const root = settingsElement(topicShape, values);
  return xmlDocument(assignment ? { ...root, children: [...root.children, writeAssignment(assignment)] } : root);
}

/** @throws BadXml */
export function readTopicSettings(document: string): TopicSettings {
  const assignment = firstElement(readXml(document), 'assignment');
  return { ...readSettings(topicShape, document), ...(assignment ? { assignment: readAssignment(assignment) } : {}) };
}
