// What clients see of a status that the institution has defined for submissions.

import { int, text } from '../wire/fields';
import { resource } from './resource';

export const CustomGradeStatus = resource('CustomGradeStatus', { id: int, name: text, color: text });
