import { ownRows } from '../own-rows.ts'

/** Addresses that are notified of changes to a project's record. Deliveries are rows of `ken.jobs`. */
export const webhooks = {
  name: 'webhooks',
  statements: () => [
    // `secret`: sealed. `tried_at` and `fault` are of the last delivery; no fault if it was accepted.
    `CREATE TABLE ken.webhooks (
       project text NOT NULL,
       id text NOT NULL,
       url text NOT NULL,
       events jsonb NOT NULL,
       secret bytea NOT NULL,
       set_by text NOT NULL,
       set_at timestamptz NOT NULL,
       tried_at timestamptz,
       fault text,
       PRIMARY KEY (project, id)
     )`,
    ...ownRows('webhooks'),
  ],
}
