// Which page views are visits of pages in a browser. The pages of Carrel that show content are those that open external tools. Pure.

import type { RecordedView } from './view';

export interface Visit {
  readonly context_type: 'Course' | 'Account';
  readonly context_id: number;
  readonly tool_id: number;
  readonly view: RecordedView;
}

const toolPage = /^\/(courses|accounts)\/(\d{1,15})\/external_tools\/(\d{1,15})$/;

/** Undefined for requests of applications, downloads, and visits while another user acted as this one. */
export function visitOf(view: RecordedView): Visit | undefined {
  if (!view.user_request || view.http_method !== 'GET' || view.real_user_id !== null) return undefined;
  const [, place, context_id, tool_id] = toolPage.exec(URL.parse(view.url)?.pathname ?? '') ?? [];
  if (place === undefined) return undefined;
  return { context_type: place === 'courses' ? 'Course' : 'Account', context_id: Number(context_id), tool_id: Number(tool_id), view };
}
