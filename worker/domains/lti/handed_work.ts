// Work that a student has handed in through a tool.

import { storableHtml } from '../../html/kept';
import type { Call } from '../../http/call';
import { webAddress } from '../submissions/submit/attempt';

const empty = { body: null, url: null, attachment_ids: [], media_comment_id: null, media_comment_type: null };

/** The content of an attempt. @param data a text or an address, by the type @throws Problem 400 for an address that is not of the web */
export function handedThroughTool(type: string, data: string, call: Pick<Call, 'origin'>) {
  switch (type) {
    case 'basic_lti_launch':
    case 'online_url':
      return { ...empty, submission_type: type, url: webAddress(data) };
    case 'online_text_entry':
      return { ...empty, submission_type: type, body: storableHtml(data, call) };
    default:
      return { ...empty, submission_type: 'external_tool' };
  }
}
