// What clients see of live assessments and their results (reference of the API: Live Assessments).

import { bool, object, text, time } from '../wire/fields';
import { resource } from './resource';

/** Ids are text. */
export const LiveAssessment = resource('LiveAssessment', { id: text, key: text, title: text });

export const LiveAssessmentResult = resource('LiveAssessmentResult', {
  id: text,
  passed: bool,
  assessed_at: time,
  links: object({ user: text, assessor: text, assessment: text }),
});
