/**
 * What a team server offers to programs: what works on its records and their memory. An operation comes in once everything it
 * touches has a back end that a team shares.
 */
export const SERVED: ReadonlySet<string> = new Set([
  'get_context',
  'get_raw_file',
  'list_decisions',
  'get_decision',
  'diff_since_last_session',
  'search_decisions',
  'check_decision',
  'propose_decision',
  'flag_question',
  'update_state',
  'list_projects',
  'memory_search',
  'memory_vsearch',
  'memory_query',
  'memory_get',
  'memory_multi_get',
  'memory_browse',
  'memory_facets',
  'memory_write',
])
