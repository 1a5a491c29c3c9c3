// Text of people as HTML: sanitised, and with rendered formulas. All such text is converted here.

import { clean, type Leads } from './clean';
import { withMaths } from './maths';

export const said = (html: string | null | undefined, leads: Leads): string => clean(withMaths(html ?? ''), leads);
