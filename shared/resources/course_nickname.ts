// What clients see of a course nickname.

import { int, text } from '../wire/fields';
import { resource } from './resource';

export const CourseNickname = resource('CourseNickname', { course_id: int, name: text, nickname: text });
export const NicknamesCleared = resource('NicknamesCleared', { message: text });
