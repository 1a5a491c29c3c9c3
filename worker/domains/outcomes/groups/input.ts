// What groups and links take and refuse alike.

import { choice } from '@carrel/shared/wire/fields';
import { Problem } from '../../../http/problem';
import { outcomeStyles } from '../json';

/** Canvas refuses what groups do not allow without a reason. */
export const groupError = () => new Problem(400, JSON.stringify('error'));

export const styleParams = { outcome_style: choice(...outcomeStyles), outcome_group_style: choice(...outcomeStyles) };
