/** Rows of a table, as one or more files of JSON lines. */
export interface ExportedTable {
  readonly table: string
  /** The column with the owner of a row. */
  readonly column: string
  readonly file: string
  readonly about: string
  /** Columns that are secrets, or mean nothing to a reader. */
  readonly without?: readonly string[]
  /** Rows may have a megabyte, so only a few are read at a time. */
  readonly isLarge?: boolean
}

const kept = (column: 'person' | 'project'): readonly ExportedTable[] => [
  { table: 'members', column, file: 'members', about: 'roles in projects that differ from those in the organisation' },
  { table: 'chats', column, file: 'chats/chats', about: 'chats with the analyst', without: ['folded_title'] },
  { table: 'chat_messages', column, file: 'chats/messages', about: 'who spoke when, and with which model' },
  { table: 'chat_parts', column, file: 'chats/parts', about: 'what was said, in order of `number`', isLarge: true },
  { table: 'chat_queries', column, file: 'chats/queries', about: 'queries of answers, with their rows', isLarge: true },
  { table: 'chat_readers', column, file: 'chats/readers', about: 'with whom chats are shared' },
  { table: 'stories', column, file: 'stories/stories', about: 'stories' },
  { table: 'story_versions', column, file: 'stories/versions', about: 'their texts, every version', isLarge: true },
  { table: 'story_data', column, file: 'stories/data', about: 'the data that they show', isLarge: true },
  { table: 'story_readers', column, file: 'stories/readers', about: 'with whom stories are shared' },
  { table: 'story_comments', column, file: 'stories/comments', about: 'comments on stories' },
  { table: 'feedback', column, file: 'feedback', about: 'votes on answers' },
  { table: 'drafts', column, file: 'drafts', about: 'drafts of decisions and notes' },
  { table: 'model_calls', column, file: 'model-calls', about: 'what was asked of models, in tokens and cost' },
  { table: 'test_runs', column, file: 'tests/runs', about: 'runs of the analyst’s tests' },
  { table: 'test_attempts', column, file: 'tests/attempts', about: 'what came out of each', isLarge: true },
  { table: 'shares', column, file: 'memory/shares', about: 'workspaces that are shared with a project' },
  {
    table: 'shared_texts',
    column,
    file: 'memory/documents',
    about: 'sessions and notes in the memory of a project, with their texts',
    isLarge: true,
  },
  {
    table: 'channel_asks',
    column,
    file: 'chats/channels',
    about: 'questions from channels such as Slack; their words until they are answered',
  },
  { table: 'audit_log', column, file: 'audit', about: 'what was done, by ids, through what and from where' },
]

export const OF_PERSON: readonly ExportedTable[] = [
  { table: 'people', column: 'id', file: 'profile', about: 'the account' },
  ...kept('person'),
  {
    table: 'tokens',
    column: 'person',
    file: 'access/tokens',
    about: 'tokens, without what they open with',
    without: ['hash'],
  },
  {
    table: 'browser_sessions',
    column: 'person',
    file: 'access/browsers',
    about: 'browsers that are signed in',
    without: ['id', 'hash'],
  },
  {
    table: 'passkeys',
    column: 'person',
    file: 'access/passkeys',
    about: 'passkeys, by name',
    without: ['id', 'public_key', 'counter'],
  },
  { table: 'oauth_grants', column: 'person', file: 'access/programs', about: 'programs that were let in' },
  { table: 'invitations', column: 'invited_by', file: 'access/invitations', about: 'invitations that they sent' },
  { table: 'user_memories', column: 'person', file: 'memories/memories', about: 'what the analyst remembers of them' },
  { table: 'memory_events', column: 'person', file: 'memories/changes', about: 'how that changed' },
]

export const OF_PROJECT: readonly ExportedTable[] = [
  { table: 'projects', column: 'id', file: 'project', about: 'the project and its settings' },
  ...kept('project'),
  {
    table: 'record_files',
    column: 'project',
    file: 'history/files',
    about: 'which text each file of the record had, from which revision on',
  },
  {
    table: 'record_texts',
    column: 'project',
    file: 'history/texts',
    about: 'those texts by their SHA-256, also of files that are gone',
    isLarge: true,
  },
  {
    table: 'record_snapshots',
    column: 'project',
    file: 'history/snapshots',
    about: 'moments of the record that have a name',
  },
  {
    table: 'context_origins',
    column: 'project',
    file: 'context/origin',
    about: 'the git repository that the context comes from',
    without: ['credential', 'hook'],
  },
  {
    table: 'context_files',
    column: 'project',
    file: 'context/files',
    about: 'the files of it that are in use, and those before',
    isLarge: true,
  },
  {
    table: 'webhooks',
    column: 'project',
    file: 'webhooks',
    about: 'addresses that are notified of changes',
    without: ['secret'],
  },
  { table: 'analyst_rules', column: 'project', file: 'replay', about: 'whether admins may read everybody’s chats' },
  { table: 'tombstones', column: 'project', file: 'memory/forgotten', about: 'sessions that are not to come back' },
]

const DERIVED = 'Made from what is exported, and made again from it.'
const WORK = 'Work that waits; over within minutes, and no words of its own.'
const SHORT = 'Hashes and times of a login that is under way; gone within a day.'
const WITH_PERSON = 'A person’s own, and in the export of that person.'

/** Reasons why a table with a column for people is not in a person's export. */
export const NOT_OF_PERSON: Readonly<Record<string, string>> = {
  chat_words: DERIVED,
  index_documents: DERIVED,
  sign_in_codes: SHORT,
}

/** Reasons why a table with a project column is not in the export of a project. */
export const NOT_OF_PROJECT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['heads', 'documents', 'segments', 'leaves', 'vectors', 'outlines'].map((name) => [`index_${name}`, DERIVED]),
  ),
  chat_words: DERIVED,
  records: 'Counters of the record; the record itself is in `.ken/record`.',
  record_events: 'The journal of the record, line by line, in `.ken/record/journal/events.jsonl`.',
  jobs: WORK,
  job_turns: WORK,
  harvest_cursors: 'How far sessions were read; places in files of a machine.',
  facts: 'Marks of upkeep: versions of what is derived.',
  user_memories: WITH_PERSON,
  tokens: WITH_PERSON,
  oauth_grants: WITH_PERSON,
}
