/**
 * Never changed once released: a later schema adds to it. `place` is the insertion order; lists and objects are JSON.
 */
export const ANALYST_TABLES = `
CREATE TABLE chat (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT NOT NULL, folder TEXT NOT NULL,
  title TEXT NOT NULL, starred INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
  client_session TEXT, parts INTEGER NOT NULL DEFAULT 0);
CREATE INDEX chat_of_user ON chat (user, updated_at);
CREATE INDEX chat_deleted ON chat (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE chat_message (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, chat TEXT NOT NULL, role TEXT NOT NULL, at TEXT NOT NULL,
  model TEXT, superseded INTEGER NOT NULL, ending TEXT);
CREATE INDEX message_of_chat ON chat_message (chat);
CREATE INDEX message_unended ON chat_message (at) WHERE ending IS NULL AND role = 'assistant';

CREATE TABLE chat_part (
  place INTEGER PRIMARY KEY, chat TEXT NOT NULL, number INTEGER NOT NULL, message TEXT NOT NULL, at TEXT NOT NULL,
  kind TEXT NOT NULL, body TEXT NOT NULL, text TEXT, UNIQUE (chat, number));
CREATE INDEX part_of_message ON chat_part (message);

CREATE TABLE chat_words (message TEXT NOT NULL UNIQUE, chat TEXT NOT NULL, folded TEXT NOT NULL);
CREATE INDEX words_of_chat ON chat_words (chat);

CREATE TABLE chat_query (
  place INTEGER PRIMARY KEY, chat TEXT NOT NULL, id TEXT NOT NULL, message TEXT NOT NULL, database TEXT NOT NULL,
  sql TEXT NOT NULL, columns TEXT NOT NULL, row_count INTEGER NOT NULL, cut INTEGER NOT NULL, at TEXT NOT NULL,
  rows TEXT NOT NULL, UNIQUE (chat, id));

CREATE TABLE model_call (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT NOT NULL, chat TEXT,
  message TEXT, purpose TEXT NOT NULL, model TEXT NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
  cached INTEGER NOT NULL, reasoning INTEGER NOT NULL, cost REAL, milliseconds REAL NOT NULL, failed INTEGER NOT NULL,
  at TEXT NOT NULL);
CREATE INDEX call_of_chat ON model_call (chat) WHERE chat IS NOT NULL;
CREATE INDEX call_of_user ON model_call (user, at);

CREATE TABLE story (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT NOT NULL, folder TEXT NOT NULL,
  chat TEXT, slug TEXT NOT NULL, title TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  archived_at TEXT, schedule TEXT, last_refresh TEXT, UNIQUE (project, slug));
CREATE TABLE story_version (
  story TEXT NOT NULL, version INTEGER NOT NULL, at TEXT NOT NULL, author TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (story, version));
CREATE TABLE story_data (
  story TEXT NOT NULL, query TEXT NOT NULL, database TEXT NOT NULL, sql TEXT NOT NULL, result TEXT NOT NULL,
  at TEXT NOT NULL, PRIMARY KEY (story, query));

CREATE TABLE user_memory (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT, category TEXT NOT NULL,
  content TEXT NOT NULL, evidence TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  superseded_by TEXT, forgotten_at TEXT);
CREATE INDEX memory_of_user ON user_memory (user, created_at);
CREATE TABLE memory_event (
  place INTEGER PRIMARY KEY, change INTEGER NOT NULL, user TEXT NOT NULL, kind TEXT NOT NULL, memory TEXT NOT NULL,
  before TEXT, after TEXT, at TEXT NOT NULL, undone INTEGER NOT NULL);
CREATE INDEX memory_event_of_user ON memory_event (user);

CREATE TABLE feedback (
  place INTEGER PRIMARY KEY, message TEXT NOT NULL UNIQUE, chat TEXT NOT NULL, user TEXT NOT NULL, vote TEXT NOT NULL,
  reason TEXT NOT NULL, at TEXT NOT NULL);
CREATE INDEX feedback_of_chat ON feedback (chat);
CREATE TABLE draft (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT NOT NULL, folder TEXT NOT NULL,
  kind TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, source TEXT NOT NULL, siblings TEXT NOT NULL,
  at TEXT NOT NULL, settled TEXT);
CREATE INDEX draft_of_user ON draft (user, at);
`
