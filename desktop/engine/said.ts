// What people have written, as HTML to be shown: harmless, and with its formulas drawn. Every such text goes through here.

import { clean, type Leads } from './clean';
import { withMaths } from './maths';

export const said = (html: string | null | undefined, leads: Leads): string => clean(withMaths(html ?? ''), leads);
