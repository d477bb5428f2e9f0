/** The commands on the first screen of help, in the order of first use. */
export const EVERYDAY: readonly string[] = [
  'init',
  'setup',
  'status',
  'check_decision',
  'propose_decision',
  'get_decision',
  'list_decisions',
  'memory_query',
  'ask',
  'memory_write',
  'brief',
  'guard',
  'drift',
  'sync_sources',
  'undo',
]

/** The nouns below them: `ken <noun>` lists the commands of each. */
export const GROUPS: readonly { readonly noun: string; readonly summary: string }[] = [
  { noun: 'decisions', summary: 'History, review, import, export and integrity of the record' },
  { noun: 'questions', summary: 'Open questions' },
  { noun: 'memory', summary: 'Search index, agent sessions, forgetting' },
  { noun: 'notes', summary: 'Note files' },
  { noun: 'collection', summary: 'Indexed document folders' },
  { noun: 'sources', summary: 'Databases, files, repositories and dbt projects' },
  { noun: 'code', summary: 'Symbols, callers, decisions the code no longer follows' },
  { noun: 'chats', summary: 'Chats with the analyst' },
  { noun: 'stories', summary: 'Reports with charts and refreshed data' },
  { noun: 'memories', summary: 'What Ken remembers about you' },
  { noun: 'inbox', summary: 'Drafts to review' },
  { noun: 'test', summary: 'Tests of agents and the analyst' },
  { noun: 'team', summary: 'Sharing records and sessions with a team' },
  { noun: 'projects', summary: 'Projects on this machine' },
  { noun: 'models', summary: 'Models for search and answers' },
  { noun: 'keys', summary: 'API keys of model providers' },
  { noun: 'config', summary: 'Settings' },
]

/** Replaced commands: accepted, but not listed. */
export const REPLACED: Readonly<Record<string, string>> = {
  memory_search: 'search --mode words',
  memory_vsearch: 'search --mode meaning',
  memory_browse: 'search',
  memory_facets: 'search',
  search_decisions: 'search --origin decision',
  memory_get: 'show',
  get_raw_file: 'show',
  read_file: 'show',
  jot: 'add',
  init_context: 'init --context',
  execute_sql: 'sql',
  display_chart: 'chart',
  remember: 'memories add',
}
