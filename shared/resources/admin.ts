// What clients see of an account admin (reference of the API: Admins).

import { int, text } from '../wire/fields';
import { resource } from './resource';
import { User } from './user';

export const Admin = resource('Admin', { id: int, role: text, role_id: int, user: User.field, workflow_state: text });
