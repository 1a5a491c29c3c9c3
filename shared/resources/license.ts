// A content licence (reference of the API: Files).

import { text } from '../wire/fields';
import { resource } from './resource';

export const License = resource('License', { id: text, name: text, url: text });
