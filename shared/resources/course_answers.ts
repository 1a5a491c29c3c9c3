// Small responses about a course.

import { bool, mapOf, optional, text } from '../wire/fields';
import { resource } from './resource';

export const CourseEventDone = resource('CourseEventDone', { conclude: optional(bool), delete: optional(bool) });
export const PreviewHtml = resource('PreviewHtml', { html: text });
export const CoursePermissions = { name: 'CoursePermissions', fields: {}, field: mapOf(bool) };
