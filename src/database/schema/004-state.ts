import { OWN_PERSON, OWN_PROJECT, ownRows } from '../own-rows.ts'

/**
 * The analyst's data on people and conversations. A key begins with the id, so that any scope finds it by an index, and
 * ends with its owner, so that another owner's id is still free: a conflict would reveal it. `place` is the insertion
 * order; lists and objects are JSON as text, because `jsonb` rejects the NUL that a result may contain.
 */
export const state = {
  name: 'state',
  statements: (): readonly string[] => [...CHATS, ...STORIES, ...PERSONAL, ...RUNS, ...HARVEST, ...LEASES],
}

const PLACE = 'place bigint GENERATED ALWAYS AS IDENTITY'
const WHOSE = 'project text NOT NULL, person text NOT NULL'

const VISIBILITY = "visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'project', 'named'))"

/** The owner's chosen readers may read the rows; only the owner may write. */
const sharedRows = (table: string, readers: string, of: string, unless: string): readonly string[] => [
  `CREATE POLICY shared_rows ON ken.${table} FOR SELECT USING (
     project = ${OWN_PROJECT} AND ${unless} AND (visibility = 'project' OR (visibility = 'named' AND EXISTS (
       SELECT FROM ken.${readers} AS r WHERE r.${of} = ${table}.id AND r.project = ${table}.project
       AND r.person = ${table}.person AND r.reader = ${OWN_PERSON}))))`,
]

/** Rows are visible if their parent is: the policies of `parent` apply inside the subquery. */
const sharedWith = (table: string, parent: string, of: string): readonly string[] => [
  `CREATE POLICY shared_rows ON ken.${table} FOR SELECT USING (
     project = ${OWN_PROJECT} AND EXISTS (SELECT FROM ken.${parent} AS p
       WHERE p.id = ${table}.${of} AND p.project = ${table}.project AND p.person = ${table}.person))`,
]

/** People can see that they were named, but not who else was. */
const readersTable = (table: string, parent: string, of: string): readonly string[] => [
  `CREATE TABLE ken.${table} (
     ${of} text NOT NULL, ${WHOSE}, reader text NOT NULL, PRIMARY KEY (${of}, project, person, reader),
     FOREIGN KEY (${of}, project, person) REFERENCES ken.${parent} (id, project, person) ON DELETE CASCADE)`,
  `CREATE INDEX ${table}_of_reader ON ken.${table} (project, reader)`,
  ...ownRows(table, 'project and person'),
  `CREATE POLICY shared_rows ON ken.${table} FOR SELECT USING (project = ${OWN_PROJECT} AND reader = ${OWN_PERSON})`,
]

const OF_CHAT = 'FOREIGN KEY (chat, project, person) REFERENCES ken.chats (id, project, person) ON DELETE CASCADE'

const CHATS = [
  `CREATE TABLE ken.chats (
     ${PLACE}, id text NOT NULL, ${WHOSE}, folder text NOT NULL, title text NOT NULL, folded_title text NOT NULL,
     starred boolean NOT NULL, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
     deleted_at timestamptz, client_session text, parts int NOT NULL DEFAULT 0, ${VISIBILITY},
     PRIMARY KEY (id, project, person))`,
  'CREATE INDEX chats_of_person ON ken.chats (project, person, updated_at)',
  'CREATE INDEX chats_deleted ON ken.chats (deleted_at) WHERE deleted_at IS NOT NULL',
  "CREATE INDEX chats_shared ON ken.chats (project, updated_at) WHERE visibility <> 'private'",
  ...ownRows('chats', 'project and person'),
  ...readersTable('chat_readers', 'chats', 'chat'),
  ...sharedRows('chats', 'chat_readers', 'chat', 'deleted_at IS NULL'),
  `CREATE TABLE ken.chat_messages (
     ${PLACE}, id text NOT NULL, ${WHOSE}, chat text NOT NULL, role text NOT NULL, at timestamptz NOT NULL, model text,
     superseded boolean NOT NULL, ending text, PRIMARY KEY (id, project, person), ${OF_CHAT})`,
  'CREATE INDEX messages_of_chat ON ken.chat_messages (chat, project, person, place)',
  "CREATE INDEX messages_unended ON ken.chat_messages (at) WHERE ending IS NULL AND role = 'assistant'",
  ...ownRows('chat_messages', 'project and person'),
  ...sharedWith('chat_messages', 'chats', 'chat'),
  // `units`: length of its text in UTF-16 units, which decides whether it has grown.
  `CREATE TABLE ken.chat_parts (
     chat text NOT NULL, ${WHOSE}, number int NOT NULL, message text NOT NULL, at timestamptz NOT NULL,
     kind text NOT NULL, body text NOT NULL, text text, units int, PRIMARY KEY (chat, project, person, number),
     ${OF_CHAT})`,
  'CREATE INDEX parts_of_message ON ken.chat_parts (message)',
  ...ownRows('chat_parts', 'project and person'),
  ...sharedWith('chat_parts', 'chats', 'chat'),
  `CREATE TABLE ken.chat_words (
     message text NOT NULL, ${WHOSE}, chat text NOT NULL, folded text NOT NULL,
     PRIMARY KEY (message, project, person), ${OF_CHAT})`,
  'CREATE INDEX words_of_chat ON ken.chat_words (chat, project, person)',
  ...ownRows('chat_words', 'project and person'),
  `CREATE TABLE ken.chat_queries (
     ${PLACE}, chat text NOT NULL, id text NOT NULL, ${WHOSE}, message text NOT NULL, database text NOT NULL,
     sql text NOT NULL, columns text NOT NULL, row_count bigint NOT NULL, cut boolean NOT NULL,
     at timestamptz NOT NULL, rows text NOT NULL, PRIMARY KEY (chat, id, project, person), ${OF_CHAT})`,
  ...ownRows('chat_queries', 'project and person'),
  ...sharedWith('chat_queries', 'chats', 'chat'),
]

const OF_STORY = 'FOREIGN KEY (story, project, person) REFERENCES ken.stories (id, project, person) ON DELETE CASCADE'

const STORIES = [
  `CREATE TABLE ken.stories (
     ${PLACE}, id text NOT NULL, ${WHOSE}, folder text NOT NULL, chat text, slug text NOT NULL, title text NOT NULL,
     created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, archived_at timestamptz, schedule text,
     last_refresh text, versions int NOT NULL, ${VISIBILITY}, PRIMARY KEY (id, project, person),
     UNIQUE (project, slug, person))`,
  'CREATE INDEX stories_of_person ON ken.stories (project, person, updated_at)',
  'CREATE INDEX stories_of_chat ON ken.stories (chat) WHERE chat IS NOT NULL',
  'CREATE INDEX stories_scheduled ON ken.stories (project) WHERE schedule IS NOT NULL AND archived_at IS NULL',
  ...ownRows('stories', 'project and person'),
  ...readersTable('story_readers', 'stories', 'story'),
  ...sharedRows('stories', 'story_readers', 'story', 'archived_at IS NULL'),
  `CREATE TABLE ken.story_versions (
     story text NOT NULL, ${WHOSE}, version int NOT NULL, at timestamptz NOT NULL, author text NOT NULL,
     text text NOT NULL, PRIMARY KEY (story, project, person, version), ${OF_STORY})`,
  ...ownRows('story_versions', 'project and person'),
  ...sharedWith('story_versions', 'stories', 'story'),
  `CREATE TABLE ken.story_data (
     story text NOT NULL, ${WHOSE}, query text COLLATE "C" NOT NULL, database text NOT NULL, sql text NOT NULL,
     result text NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (story, project, person, query), ${OF_STORY})`,
  ...ownRows('story_data', 'project and person'),
  ...sharedWith('story_data', 'stories', 'story'),
]

const PERSONAL = [
  `CREATE TABLE ken.model_calls (
     ${PLACE}, id text NOT NULL, ${WHOSE}, chat text, message text, purpose text NOT NULL, model text NOT NULL,
     input bigint NOT NULL, output bigint NOT NULL, cached bigint NOT NULL, reasoning bigint NOT NULL, cost float8,
     milliseconds float8 NOT NULL, failed boolean NOT NULL, at timestamptz NOT NULL,
     PRIMARY KEY (id, project, person))`,
  'CREATE INDEX calls_of_chat ON ken.model_calls (chat) WHERE chat IS NOT NULL',
  'CREATE INDEX calls_of_person ON ken.model_calls (project, person, at)',
  'CREATE INDEX calls_of_project ON ken.model_calls (project, at)',
  ...ownRows('model_calls', 'project and person'),
  // Only the memory's owner decides in which of their projects it applies.
  `CREATE TABLE ken.user_memories (
     ${PLACE}, id text NOT NULL, person text NOT NULL, project text, category text NOT NULL, content text NOT NULL,
     words text NOT NULL, chat text, message text, source text, created_at timestamptz NOT NULL,
     updated_at timestamptz NOT NULL, superseded_by text, forgotten_at timestamptz, PRIMARY KEY (id, person))`,
  'CREATE INDEX memories_of_person ON ken.user_memories (person, created_at)',
  'CREATE INDEX memories_of_chat ON ken.user_memories (chat) WHERE chat IS NOT NULL',
  ...ownRows('user_memories', 'person'),
  `CREATE TABLE ken.memory_events (
     person text NOT NULL, change int NOT NULL, nth int NOT NULL, kind text NOT NULL, memory text NOT NULL,
     before text, after text, at timestamptz NOT NULL, undone boolean NOT NULL DEFAULT false,
     PRIMARY KEY (person, change, nth))`,
  ...ownRows('memory_events', 'person'),
  `CREATE TABLE ken.feedback (
     ${PLACE}, message text NOT NULL, ${WHOSE}, chat text NOT NULL, vote text NOT NULL, reason text NOT NULL,
     at timestamptz NOT NULL, PRIMARY KEY (message, project, person))`,
  'CREATE INDEX feedback_of_chat ON ken.feedback (chat)',
  'CREATE INDEX feedback_of_person ON ken.feedback (project, person, at)',
  ...ownRows('feedback', 'project and person'),
  `CREATE TABLE ken.drafts (
     ${PLACE}, id text NOT NULL, ${WHOSE}, folder text NOT NULL, kind text NOT NULL, title text NOT NULL,
     body text NOT NULL, message text, chat text, session text, siblings text NOT NULL, at timestamptz NOT NULL,
     settled text, PRIMARY KEY (id, project, person))`,
  'CREATE INDEX drafts_of_person ON ken.drafts (project, person, at)',
  'CREATE INDEX drafts_of_chat ON ken.drafts (chat) WHERE chat IS NOT NULL',
  ...ownRows('drafts', 'project and person'),
]

const RUNS = [
  `CREATE TABLE ken.test_runs (
     ${PLACE}, id text NOT NULL, ${WHOSE}, folder text NOT NULL, started_at timestamptz NOT NULL, models text NOT NULL,
     runs int NOT NULL, suite text NOT NULL, planned int NOT NULL, commit_id text, version text NOT NULL,
     broken text NOT NULL, ending text, PRIMARY KEY (id, project, person))`,
  'CREATE INDEX test_runs_of_person ON ken.test_runs (project, person, started_at)',
  ...ownRows('test_runs', 'project and person'),
  // `key`: hash of case, model and attempt, because the name of a case may be too long for an index.
  `CREATE TABLE ken.test_attempts (
     run text NOT NULL, ${WHOSE}, key text NOT NULL, facts text NOT NULL, detail text NOT NULL,
     PRIMARY KEY (run, project, person, key),
     FOREIGN KEY (run, project, person) REFERENCES ken.test_runs (id, project, person) ON DELETE CASCADE)`,
  ...ownRows('test_attempts', 'project and person'),
]

/** Per project; `key` is a hash of the values that identify the row. */
const HARVEST = [
  'CREATE TABLE ken.harvest_cursors (project text, key text, cursor text NOT NULL, PRIMARY KEY (project, key))',
  ...ownRows('harvest_cursors'),
  `CREATE TABLE ken.tombstones (
     project text, key text, client text COLLATE "C" NOT NULL, session text COLLATE "C" NOT NULL, why text NOT NULL,
     ended text NOT NULL, at text NOT NULL, PRIMARY KEY (project, key))`,
  ...ownRows('tombstones'),
  'CREATE TABLE ken.facts (project text, key text, value text NOT NULL, PRIMARY KEY (project, key))',
  ...ownRows('facts'),
]

/** Accessible to the server only. */
const LEASES = ['CREATE TABLE ken.leases (name text PRIMARY KEY, holder text NOT NULL, until timestamptz NOT NULL)']
