// What clients see of a favorite course or group.

import { int, oneOf, optional, text } from '../wire/fields';
import { resource } from './resource';

/** Empty when the removed item was not a favorite. */
export const Favorite = resource('Favorite', { context_id: optional(int), context_type: optional(oneOf('Course', 'Group')) });
export const FavoritesReset = resource('FavoritesReset', { status: text, message: text });
