import { int, text } from '../wire/fields';
import { resource } from './resource';

export const Assignment = resource('Assignment', { id: int, course_id: int, assignment_group_id: int, name: text });
