// Text of people as HTML: sanitised, and with rendered formulas. All such text is converted here.

import { clean } from './clean';
import { withMaths } from './maths';
import type { Leads } from './offline';

export const said = (html: string | null | undefined, leads: Leads): string => clean(withMaths(html ?? ''), leads);
