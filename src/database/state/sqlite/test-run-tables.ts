/** Never changed once released: a later schema adds to it. Lists and objects are JSON. */
export const TEST_RUN_TABLES = `
CREATE TABLE test_run (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT NOT NULL, folder TEXT NOT NULL,
  started_at TEXT NOT NULL, models TEXT NOT NULL, runs INTEGER NOT NULL, suite TEXT NOT NULL, planned INTEGER NOT NULL,
  commit_id TEXT, version TEXT NOT NULL, broken TEXT NOT NULL, ending TEXT);
CREATE INDEX test_run_of_project ON test_run (user, project, started_at);
CREATE TABLE test_attempt (
  place INTEGER PRIMARY KEY, run TEXT NOT NULL, test TEXT NOT NULL, model TEXT NOT NULL, attempt INTEGER NOT NULL,
  facts TEXT NOT NULL, detail TEXT NOT NULL, UNIQUE (run, test, model, attempt));
`
