import { CHART_KINDS } from '../chart/chart.ts'
import { readCitations } from '../citation/read-citations.ts'
import { readMarkdown } from './markdown-blocks.ts'
import type { StoryBlock, StoryFault } from './story-blocks.ts'
import { boundNamesOf, readParam, type StoryParam } from './story-params.ts'
import { splitAtTags, type StoryPiece } from './story-tags.ts'

export interface ReadStory {
  readonly blocks: readonly StoryBlock[]
  /** Values that a reader can change. */
  readonly params: readonly StoryParam[]
  /** Statements that the text itself contains; their rows come with a refresh. */
  readonly statements: readonly StoryStatement[]
  /** Tags that cannot be drawn, in text order; such a tag is shown as written. */
  readonly faults: readonly StoryFault[]
}

export interface StoryStatement {
  readonly line: number
  readonly query: string
  /** Undefined for the only database of the context. */
  readonly database: string | undefined
  readonly sql: string
}

/** Parses a story from its text. Nothing in it is lost: unrecognised parts are shown as text and reported. */
export function readStory(text: string): ReadStory {
  const faults: StoryFault[] = []
  let unsaid = 0
  const reader: Reader = {
    drawn: 0,
    params: [],
    statements: [],
    fault(line, message) {
      if (faults.length < MOST_FAULTS) faults.push({ line, message })
      else unsaid++
    },
  }
  const pieces = splitAtTags(text.replaceAll('\r\n', '\n'))
  const blocks = readPieces(joinClosings(pieces), reader)
  if (unsaid > 0) faults.push({ line: faults.at(-1)!.line, message: `${unsaid} more faults like these` })
  return { blocks, faults, params: reader.params, statements: reader.statements }
}

/** The queries that a story contains, draws, cites or offers values from, each once. */
export function queriesOf(text: string): readonly string[] {
  const { blocks, params, statements } = readStory(text)
  const drawn = drawnIn(blocks).map((block) => (block.kind === 'chart' ? block.chart.query : block.table.query))
  const offered = params.flatMap(({ from }) => from?.query ?? [])
  const written = statements.map(({ query }) => query)
  return [...new Set([...written, ...drawn, ...offered, ...readCitations(text).map(({ query }) => query)])]
}

/** Statements of a story whose rows are missing or of another text; a refresh fills them. */
export const waitingIn = (
  { statements }: Pick<ReadStory, 'statements'>,
  data: readonly { readonly query: string; readonly sql: string }[],
): readonly string[] =>
  statements.flatMap(({ query, sql }) => (data.some((one) => one.query === query && one.sql === sql) ? [] : [query]))

export type Drawn = Extract<StoryBlock, { kind: 'chart' | 'table' }>

/** Charts and tables, in the order of the text. */
export function drawnIn(blocks: readonly StoryBlock[]): readonly Drawn[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'grid') return block.cells.flatMap(drawnIn)
    return block.kind === 'chart' || block.kind === 'table' ? [block] : []
  })
}

// More charts would take minutes to draw, and are too many to read.
const MOST_DRAWN = 200
const MOST_FAULTS = 50
const MOST_ROWS = 1_000
const USUAL_ROWS = 50
const LONGEST_TITLE = 300
const MOST_STATEMENTS = 50
const MOST_PARAMS = 20

interface Reader {
  drawn: number
  readonly params: StoryParam[]
  readonly statements: StoryStatement[]
  fault(line: number, message: string): void
}

type Tag = Extract<StoryPiece, { kind: 'tag' }>

/** Joins `<chart …></chart>` into one tag; an opening tag without a closing one is a whole tag as well. */
function joinClosings(pieces: readonly StoryPiece[]): readonly StoryPiece[] {
  return pieces.flatMap((piece, at) => {
    if (piece.kind !== 'tag' || piece.name === 'grid') return [piece]
    if (piece.form === 'open') return piece.attributes.size > 0 ? [{ ...piece, form: 'whole' as const }] : [piece]
    const before = pieces[at - 1]
    const between = before?.kind === 'text' && before.text.trim() === '' ? pieces[at - 2] : before
    const closesOne = piece.form === 'close' && between?.kind === 'tag' && between.name === piece.name
    return closesOne && between.form === 'open' && between.attributes.size > 0 ? [] : [piece]
  })
}

function readPieces(pieces: readonly StoryPiece[], reader: Reader): StoryBlock[] {
  const blocks: StoryBlock[] = []
  // Unrecognised parts join the text around them.
  let loose = ''
  const settle = (): void => {
    blocks.push(...readMarkdown(loose))
    loose = ''
  }
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]!
    if (piece.kind === 'text') loose += piece.text
    else if (piece.kind === 'broken') {
      reader.fault(piece.line, piece.message)
      loose += piece.text
    } else if (piece.kind === 'statement') readStatement(piece, reader)
    else if (piece.name === 'param') {
      if (!readParamTag(piece, reader)) loose += piece.text
    } else if (piece.name === 'grid' && piece.form === 'open') {
      const end = endOfGrid(pieces, at)
      if (end === undefined) {
        reader.fault(piece.line, 'this <grid> has no </grid> of its own; what follows stands one below the other')
        loose += `${piece.text}\n`
        continue
      }
      settle()
      blocks.push(readGrid(piece, pieces.slice(at + 1, end), reader))
      at = end
    } else {
      const block = readDrawn(piece, reader)
      if (block === undefined) loose += piece.text
      else {
        settle()
        blocks.push(block)
      }
    }
  }
  settle()
  return blocks
}

function readStatement(
  { line, query, database, sql }: Extract<StoryPiece, { kind: 'statement' }>,
  { statements, fault }: Reader,
): void {
  if (statements.some((one) => one.query === query)) return fault(line, `${query} is written twice; the first counts`)
  if (statements.length === MOST_STATEMENTS) return fault(line, `a story has at most ${MOST_STATEMENTS} statements`)
  if (sql === '') return fault(line, `${query} has no statement`)
  statements.push({ line, query, database, sql })
}

/** False if the tag stays in the text; the fault is reported. */
function readParamTag({ line, form, attributes }: Tag, { params, fault }: Reader): boolean {
  const read = form === 'close' ? { fault: 'this </param> closes nothing' } : readParam(line, attributes)
  if ('fault' in read) fault(line, read.fault)
  else if (params.length === MOST_PARAMS) fault(line, `a story has at most ${MOST_PARAMS} parameters`)
  else {
    const taken = new Set(params.flatMap(boundNamesOf))
    const twice = boundNamesOf(read).find((name) => taken.has(name))
    if (twice === undefined) params.push(read)
    else fault(line, `:${twice} is declared twice; the first counts`)
    return true
  }
  return false
}

/** Finds the end of a grid. Grids cannot be nested: one that opens inside another ends the search. */
function endOfGrid(pieces: readonly StoryPiece[], start: number): number | undefined {
  for (let at = start + 1; at < pieces.length; at++) {
    const piece = pieces[at]!
    if (piece.kind !== 'tag' || piece.name !== 'grid') continue
    return piece.form === 'close' ? at : undefined
  }
  return undefined
}

/** Each chart, each table and each run of text between them is a cell. */
function readGrid(tag: Tag, pieces: readonly StoryPiece[], reader: Reader): StoryBlock {
  const given = tag.attributes.get('cols') ?? tag.attributes.get('columns') ?? '2'
  const columns = Number(given)
  const fits = Number.isInteger(columns) && columns >= 1 && columns <= 4
  if (!fits) reader.fault(tag.line, `cols="${given}" is not a number from 1 to 4; the grid gets 2 columns`)
  const blocks = readPieces(pieces, reader)
  const cells: StoryBlock[][] = []
  let isText = false
  for (const block of blocks) {
    const isDrawn = block.kind === 'chart' || block.kind === 'table'
    if (isDrawn || !isText) cells.push([])
    cells.at(-1)!.push(block)
    isText = !isDrawn
  }
  return { kind: 'grid', columns: fits ? columns : 2, cells }
}

/** Undefined if the tag cannot be drawn; the fault is reported. */
function readDrawn(tag: Tag, reader: Reader): Drawn | undefined {
  const fault = (message: string): undefined => void reader.fault(tag.line, message)
  if (tag.name === 'grid') return fault('this </grid> closes no <grid>')
  if (tag.form === 'close') return fault(`this </${tag.name}> closes nothing`)
  const value = (...names: readonly string[]): string | undefined =>
    names.map((name) => tag.attributes.get(name)?.trim()).find((one) => one !== undefined && one !== '')
  const query = value('query', 'query_id')
  if (query === undefined) return fault(`<${tag.name}> needs the query it draws from: query="q_…"`)
  if (!QUERY.test(query)) return fault(`"${query.slice(0, 40)}" is no id of a query; one looks like q_0123456789ab`)
  if (reader.drawn === MOST_DRAWN) return fault(`a story draws at most ${MOST_DRAWN} charts and tables`)
  const title = (value('title') ?? '').slice(0, LONGEST_TITLE)
  const kind = value('kind', 'type', 'chart_type')
  if (tag.name === 'chart' && kind === undefined) return fault(`<chart> needs a kind: ${CHART_KINDS.join(', ')}`)
  reader.drawn++
  if (tag.name === 'table')
    return { kind: 'table', line: tag.line, table: { query, title, limit: rowsOf(tag, value('limit'), reader) } }
  const x = value('x', 'x_axis', 'x_axis_key')
  const y = value('y', 'series', 'columns', 'value')
  return {
    kind: 'chart',
    line: tag.line,
    chart: { query, kind: kind!, title, x, y, series_by: value('series_by', 'by') },
  }
}

const QUERY = /^q_[0-9a-z]{1,40}$/i

function rowsOf(tag: Tag, limit: string | undefined, reader: Reader): number {
  const rows = Number(limit ?? USUAL_ROWS)
  if (Number.isInteger(rows) && rows >= 1) return Math.min(rows, MOST_ROWS)
  reader.fault(tag.line, `limit="${limit}" is not a number of rows; ${USUAL_ROWS} are shown`)
  return USUAL_ROWS
}
