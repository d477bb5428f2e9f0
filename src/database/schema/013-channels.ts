import { ownRows } from '../own-rows.ts'

/** Messages of channels such as Slack that the analyst answers, and the progress of each answer. */
export const channels = {
  name: 'channels',
  statements: () => [
    // `id`: the channel's id of the message. `asker`: its sender according to the channel; `person`: that person's id
    // here.
    `CREATE TABLE ken.channel_asks (
       project text NOT NULL,
       id text NOT NULL,
       team text NOT NULL,
       channel text NOT NULL,
       thread text NOT NULL,
       asker text NOT NULL,
       words text NOT NULL,
       is_mention boolean NOT NULL,
       is_reply boolean NOT NULL,
       asked_at timestamptz NOT NULL,
       is_posting boolean NOT NULL DEFAULT false,
       posted text,
       person text,
       chat text,
       answer text,
       is_stopped boolean NOT NULL DEFAULT false,
       files text NOT NULL DEFAULT '{}',
       done_at timestamptz,
       PRIMARY KEY (project, id)
     )`,
    'CREATE INDEX channel_asks_of_thread ON ken.channel_asks (project, channel, thread)',
    'CREATE INDEX channel_asks_by_time ON ken.channel_asks (project, asked_at)',
    ...ownRows('channel_asks'),
  ],
}
