// Takes in the page views that the scheduled run has left.

import { wireTime } from '@carrel/shared/wire/fields';
import { newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { takeInViews } from './take_in';

export const takeInMore = (_: Job, env: Platform): Promise<void> =>
  takeInViews(env, open(env.DB, newMeter(), 'first-primary'), wireTime(Date.now()));
