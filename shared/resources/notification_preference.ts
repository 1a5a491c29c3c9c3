// What clients see of a notification preference (reference of the API: Notification Preferences).

import { listOf, text } from '../wire/fields';
import { resource } from './resource';

const NotificationPreference = resource('NotificationPreference', {
  href: text,
  notification: text,
  category: text,
  frequency: text,
});

export const NotificationPreferences = resource('NotificationPreferences', {
  notification_preferences: listOf(NotificationPreference.field),
});

export const NotificationCategories = resource('NotificationCategories', { categories: listOf(text) });
