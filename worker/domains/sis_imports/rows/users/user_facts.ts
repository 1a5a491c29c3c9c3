// What is read of people and logins before rows of users.csv and logins.csv are decided.

export interface LoginFacts {
  readonly id: number;
  readonly user_id: number;
  readonly unique_id: string;
  readonly sis_user_id: string | null;
  readonly integration_id: string | null;
  readonly workflow_state: 'active' | 'suspended' | 'deleted';
  readonly declared_user_type: string | null;
  readonly authentication_provider_id: number | null;
  readonly sis_communication_channel_id: number | null;
  readonly has_password: number;
  readonly stuck_sis_fields: string | null;
}

export interface UserFacts {
  readonly id: number;
  readonly name: string;
  readonly sortable_name: string;
  readonly short_name: string;
  readonly pronouns: string | null;
  readonly workflow_state: string;
  readonly stuck_sis_fields: string | null;
  /** Number of logins that are not deleted. */
  readonly live_logins: number;
}

export interface ChannelFacts {
  readonly id: number;
  readonly user_id: number;
  readonly address: string;
  readonly workflow_state: string;
}

export interface PeopleFacts {
  readonly logins: readonly LoginFacts[];
  readonly users: ReadonlyMap<number, UserFacts>;
  readonly channels: readonly ChannelFacts[];
  /** Ids of authentication providers, by id and by type. */
  readonly providers: ReadonlyMap<string, number>;
  /** For logins.csv: the user ids, by the references in the rows. */
  readonly owners?: ReadonlyMap<string, number>;
  /** Users with permissions that the importer does not have. */
  readonly superiors?: ReadonlySet<number>;
}
