import { nearestFirst } from '../close-match.ts'

/** Field that a call's key refers to, or the candidates to report for an unknown or ambiguous key. */
export type KeyMeaning =
  | { readonly field: string }
  | { readonly nearest: readonly string[] }
  | { readonly either: readonly string[] }

/**
 * Maps the keys of a call to the fields of `operation`: exactly, in another spelling (`maxResults`, `Collections`), or
 * by an alias that models use. A key that fits two fields is never guessed.
 */
export function meaningOfKeys(
  keys: readonly string[],
  fields: readonly string[],
  operation: string,
): ReadonlyMap<string, KeyMeaning> {
  const meanings = new Map<string, KeyMeaning>()
  const taken = new Set<string>()
  const settle = (key: string, field: string) => {
    meanings.set(key, { field })
    taken.add(field)
  }
  for (const key of keys) if (fields.includes(key)) settle(key, key)
  for (const key of keys) {
    const spelled = meanings.has(key) ? undefined : fields.find((field) => isSpellingOf(key, field))
    if (spelled !== undefined) settle(key, spelled)
  }
  const others = keys.filter((key) => !meanings.has(key))
  const candidates = (key: string) =>
    fields.filter((field) => !taken.has(field) && otherNames(field, operation).includes(folded(key)))
  // Maps unambiguous keys first, because they leave fewer fields for the rest.
  for (const key of others) {
    const [only, ...more] = candidates(key)
    if (only !== undefined && more.length === 0) settle(key, only)
  }
  for (const key of others.filter((one) => !meanings.has(one))) {
    const either = candidates(key)
    if (either.length === 1) settle(key, either[0]!)
    else if (either.length > 1) meanings.set(key, { either })
    else meanings.set(key, again(key, fields, operation) ?? { nearest: nearestFirst(key, fields) })
  }
  return meanings
}

/** Maps a further key to a field that is also given under its real name; the caller compares the values. */
function again(key: string, fields: readonly string[], operation: string): KeyMeaning | undefined {
  const named = fields.filter((field) => otherNames(field, operation).includes(folded(key)))
  return named.length === 1 ? { field: named[0]! } : undefined
}

const LONGEST_KEY = 64

const isSpellingOf = (key: string, field: string): boolean =>
  key.length <= LONGEST_KEY && singular(folded(key)) === singular(folded(field))

const folded = (name: string): string =>
  name.length > LONGEST_KEY ? '' : name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
const singular = (name: string): string => name.replace(/s$/, '')

const otherNames = (field: string, operation: string): readonly string[] =>
  Object.hasOwn(OTHER_NAMES, `${operation}.${field}`)
    ? OTHER_NAMES[`${operation}.${field}`]!
    : Object.hasOwn(OTHER_NAMES, field)
      ? OTHER_NAMES[field]!
      : []

const SEARCHED = [
  'q',
  'text',
  'search',
  'searchquery',
  'searchtext',
  'searchterm',
  'term',
  'terms',
  'keywords',
  'question',
  'phrase',
]
const FILE = ['file', 'filename', 'filepath', 'uri']
const FOLDER = ['path', 'dir', 'directory', 'folderpath', 'directorypath']
const FILES = ['files', 'file', 'paths', 'path', 'filepaths', 'affectedfiles']
const DECISION = ['id', 'decision', 'decisionid', 'decisionnumber', 'num', 'ref']
const PROJECT = ['project', 'projectid', 'projectname', 'projectkey']

/**
 * Aliases that models use for a field, folded to letters and digits; `operation.field` if it differs for an operation.
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  query: SEARCHED,
  limit: [
    'max',
    'maxresults',
    'numresults',
    'resultlimit',
    'maxhits',
    'n',
    'k',
    'topk',
    'top',
    'count',
    'num',
    'size',
    'pagesize',
    'maxrows',
    'rows',
  ],
  offset: ['skip', 'start', 'from'],
  workspace: ['workspaceid', 'workspacehash', 'scope', 'repo', 'repository', ...PROJECT],
  project_id: PROJECT,
  collection: ['collectionname', 'collectionid', 'folder'],
  origin: ['type', 'types', 'kind', 'kinds', 'source', 'sources', 'origintype'],
  tags: ['label', 'labels'],
  since: ['from', 'after', 'start', 'startdate', 'fromdate', 'datefrom', 'newerthan', 'begin'],
  until: ['to', 'before', 'end', 'enddate', 'todate', 'dateto', 'olderthan'],
  min_score: ['score', 'threshold', 'minrelevance', 'scorethreshold', 'minimumscore'],
  id: ['path', 'document', 'documentid', 'docid', 'ref', 'key', ...FILE],
  from_line: ['from', 'start', 'startline', 'line', 'offset', 'linestart', 'beginline'],
  max_lines: ['lines', 'limit', 'count', 'numlines', 'linecount'],
  max_bytes: ['bytes', 'maxsize', 'sizelimit', 'limit', 'maxlength'],
  'memory_multi_get.pattern': [
    'id',
    'ids',
    'path',
    'paths',
    'files',
    'documents',
    'documentids',
    'glob',
    'globs',
    'query',
  ],
  'grep_files.pattern': ['regex', 'regexp', ...SEARCHED, 'query'],
  'search_files.pattern': ['glob', 'name', 'path', 'query', 'q', ...FILE],
  content: ['text', 'note', 'body', 'message', 'memory', 'fact'],
  'memory_write.target': ['destination', 'where', 'to'],
  embed: ['vectors', 'embeddings'],
  root: ['repo', 'repository', 'folder', ...FOLDER],
  number: DECISION,
  level: ['detail', 'size', 'verbosity', 'depth'],
  days: ['since', 'period', 'lookback', 'window', 'range', 'lastdays'],
  include_superseded: ['all', 'includeall', 'superseded', 'withsuperseded', 'showsuperseded', 'includeinactive'],
  type: ['decisiontype', 'category', 'kind'],
  decision_type: ['type', 'category', 'kind'],
  proposed_approach: ['approach', 'proposal', 'idea', 'plan', 'query', 'description', 'title', ...SEARCHED],
  context: ['why', 'background', 'reason', 'details'],
  files: FILES,
  files_affected: FILES,
  'grep_files.files': ['glob', 'include', 'filepattern', 'path', 'paths', 'folder'],
  'grep_files.context': ['contextlines', 'lines', 'around'],
  match_case: ['casesensitive'],
  literal: ['fixedstrings', 'fixed', 'isliteral'],
  title: ['name', 'decision', 'summary', 'heading'],
  rationale: ['reason', 'reasoning', 'why', 'justification', 'description', 'body', 'content', 'text', 'details'],
  operation: ['action', 'op'],
  affected_decision_id: [
    'affecteddecision',
    'affecteddecisions',
    'affecteddecisionids',
    'affectedid',
    'decisionid',
    'targetdecision',
  ],
  rejected: [
    'alternatives',
    'rejectedalternatives',
    'alternativesrejected',
    'alternativesconsidered',
    'rejectedoptions',
    'options',
  ],
  resolves_questions: ['questions', 'resolves', 'questionids', 'resolvedquestions'],
  question: ['text', 'q', 'query', 'content', 'title', 'body'],
  targets: ['questions', 'questionids', 'questionid', 'ids'],
  resolved_by: ['decision', 'decisionid', 'by', 'resolution'],
  add: ['text', 'content', 'update', 'addition', 'append'],
  replace: ['text', 'content', 'update', 'newstate', 'fullstate'],
  alternative: ['name', 'option', 'title', 'what', 'choice'],
  reason: ['why', 'because', 'rationale', 'explanation', 'rejectionreason'],
  'symbols.name': ['symbol', 'symbolname', 'identifier', 'function', 'class', 'query', ...SEARCHED],
  'impact.target': ['symbol', 'name', 'path', 'id', 'identifier', 'function', ...FILE],
  'get_raw_file.path': ['name', 'id', ...FILE],
  'get_raw_file.from': ['offset', 'start', 'skip'],
  'read_file.path': ['name', 'id', ...FILE],
  'read_file.from': ['fromline', 'start', 'startline', 'linestart', 'offset', 'line'],
  'read_file.to': ['toline', 'end', 'endline', 'lineend'],
  folder: FOLDER,
  match: ['pattern', 'filter', 'glob', 'query', 'search', 'name'],
  table: ['name', 'tablename'],
  sql: ['query', 'q', 'statement', 'sqlquery'],
  database: ['db', 'databasename', 'connection'],
  query_id: ['id', 'resultid', 'query', 'result'],
  'display_chart.kind': ['type', 'charttype', 'chartkind', 'chart'],
  'display_chart.x': ['xaxis', 'xaxiskey', 'xcolumn', 'xkey', 'xfield', 'category', 'dimension', 'labels'],
  'display_chart.y': [
    'series',
    'yaxis',
    'yaxiskey',
    'ycolumn',
    'ykey',
    'yfield',
    'value',
    'values',
    'measure',
    'measures',
    'metric',
    'metrics',
  ],
  'display_chart.series_by': [
    'groupby',
    'splitby',
    'stackby',
    'breakdown',
    'color',
    'colour',
    'colorby',
    'group',
    'hue',
  ],
  'display_chart.title': ['name', 'heading', 'caption', 'charttitle'],
  paths: FILES,
  base: ['ref', 'commit', 'branch', 'since'],
}
