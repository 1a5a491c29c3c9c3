// The files of a submission and of comments on it, as viewers of the submission see them.

import { File } from '@carrel/shared/resources/file';
import { cut } from '@carrel/shared/resources/resource';
import type { Call } from '../../../http/call';
import { addressesOfWork, type FileRow, uploadedFile } from '../../files/json';
import { anonymousFile } from './anonymity';

export type AttachmentsOf = (ids: readonly number[]) => object[] | undefined;

/** The attachments read with the page, as viewers of the submission see them. */
export const submissionAttachments =
  (found: readonly FileRow[], call: Call, isAnonymous: boolean): AttachmentsOf =>
  (ids) => {
    const own = ids.flatMap((id) => found.find((one) => one.id === id) ?? []);
    const tell = (one: FileRow) => {
      const json = { ...cut(File, uploadedFile.json(one, call, { folders: [] })), ...addressesOfWork(one, call, isAnonymous) };
      return isAnonymous ? anonymousFile(json) : json;
    };
    return own.length > 0 ? own.map(tell) : undefined;
  };
