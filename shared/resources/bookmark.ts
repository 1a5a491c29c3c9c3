// What clients see of a bookmark (reference of the API: Bookmarks).

import { int, json, maybe, text } from '../wire/fields';
import { resource } from './resource';

export const Bookmark = resource('Bookmark', { id: int, name: text, url: text, position: int, data: maybe(json) });
