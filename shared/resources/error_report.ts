// The response to the report of a problem (reference of the API: Error reports).

import { bool, int } from '../wire/fields';
import { resource } from './resource';

export const LoggedErrorReport = resource('LoggedErrorReport', { logged: bool, id: int });
