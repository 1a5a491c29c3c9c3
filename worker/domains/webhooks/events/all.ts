// Every event that subscriptions can name.

import { webhookContentSources } from './content.ts';
import type { WebhookSource } from './event.ts';
import { webhookPeopleSources } from './people.ts';
import { webhookWorkSources } from './work.ts';

export const webhookSources: readonly WebhookSource[] = [...webhookPeopleSources, ...webhookContentSources, ...webhookWorkSources];

/** In alphabetical order. */
export const webhookEvents: readonly string[] = [...new Set(webhookSources.map(({ event }) => event))].sort();
