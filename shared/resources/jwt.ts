// A token for services beside this one (reference of the API: JWTs).

import { text } from '../wire/fields';
import { resource } from './resource';

export const Jwt = resource('JWT', { token: text });
