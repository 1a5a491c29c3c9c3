// What the field for a text is given.

import type { MessageFile } from '../../../contract/conversations.ts';

export interface TextGiven {
  readonly html: string;
  readonly label: string;
  /** Local addresses of images, by their address on the server. */
  readonly images: Readonly<Record<string, string>>;
  readonly change: (html: string) => void;
  /** An image was copied to this computer's store. */
  readonly keepImage: (file: MessageFile) => void;
}
