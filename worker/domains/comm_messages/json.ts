// Messages sent to users, as clients see them.

import { CommMessage } from '@carrel/shared/resources/comm_message';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { comm_messages } from './table';

export const commMessage = serializer({ resource: CommMessage, table: comm_messages, json: (row: RowOf<typeof comm_messages>) => row });
