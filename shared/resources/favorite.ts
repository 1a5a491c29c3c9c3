// A course or a group that a person keeps at hand.

import { int, oneOf, optional, text } from '../wire/fields';
import { resource } from './resource';

/** Empty where what was taken out had not been a favorite. */
export const Favorite = resource('Favorite', { context_id: optional(int), context_type: optional(oneOf('Course', 'Group')) });
export const FavoritesReset = resource('FavoritesReset', { status: text, message: text });
