import { ownRows } from '../own-rows.ts'

/** Jobs waiting for any process, and the order of projects. */
export const jobs = {
  name: 'jobs',
  statements: () => [
    'CREATE SEQUENCE ken.job_turn_numbers',
    // `due_at` is the time from which a job may be claimed: its time, the end of a pause, or the end of its holder's
    // lease. `again` is the job that was put under the key of a running one.
    `CREATE TABLE ken.jobs (
       project text NOT NULL,
       id text NOT NULL,
       kind text NOT NULL,
       key text,
       payload text NOT NULL,
       put_at timestamptz NOT NULL,
       due_at timestamptz NOT NULL,
       tries int NOT NULL DEFAULT 0,
       lease bigint,
       reason text,
       laid_aside_at timestamptz,
       again text,
       again_at timestamptz,
       PRIMARY KEY (project, id),
       CHECK ((again IS NULL) = (again_at IS NULL))
     )`,
    `CREATE UNIQUE INDEX jobs_of_key ON ken.jobs (project, kind, key) WHERE key IS NOT NULL AND laid_aside_at IS NULL`,
    `CREATE INDEX jobs_due ON ken.jobs (project, due_at, id) WHERE laid_aside_at IS NULL`,
    `CREATE INDEX jobs_taken ON ken.jobs (due_at) WHERE lease IS NOT NULL AND laid_aside_at IS NULL`,
    ...ownRows('jobs'),
    // When a project was last served, for all workers together.
    `CREATE TABLE ken.job_turns (project text PRIMARY KEY, turn bigint NOT NULL)`,
  ],
}
