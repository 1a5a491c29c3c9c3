// Course HTML as the desk shows it: sanitised by the rules of the server, then prepared for reading offline.

import { sanitise } from '@carrel/shared/html/sanitise';
import { type Leads, offline } from './offline';

export const clean = (html: string, leads: Leads): string => offline(sanitise(html), leads);
