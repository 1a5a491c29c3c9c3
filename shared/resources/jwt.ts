// A JWT for other services (reference of the API: JWTs).

import { text } from '../wire/fields';
import { resource } from './resource';

export const Jwt = resource('JWT', { token: text });
