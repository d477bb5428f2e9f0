import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Documents to search and queries with the documents that answer them. A long document is searched by its chunks. */
export interface RetrievalSet {
  readonly name: string
  readonly documents: readonly { readonly text: string; readonly chunks: readonly string[] }[]
  readonly queries: readonly { readonly text: string; readonly relevant: ReadonlySet<number> }[]
}

/** Each entry is measured as one: LoCoMo searches every conversation on its own. Missing data is left out. */
export function loadRetrievalSets(folder: string): { readonly name: string; readonly parts: readonly RetrievalSet[] }[] {
  const sets = [
    { name: 'semantic-suite', file: 'knowl/semantic-suite.json', load: knowl },
    { name: 'retrieval-suite', file: 'knowl/retrieval-suite.json', load: knowl },
    { name: 'LoCoMo turns', file: 'locomo/locomo10.json', load: locomoTurns },
    { name: 'LoCoMo sessions', file: 'locomo/locomo10.json', load: locomoSessions },
    { name: 'CoSQA', file: 'cosqa/cosqa-retrieval-dev-500.json', load: cosqa },
    { name: 'ADR title→body', file: 'adrs', load: adrs },
  ]
  return sets.filter(({ file }) => existsSync(join(folder, file))).map(({ name, file, load }) => ({ name, parts: load(join(folder, file)) }))
}

function knowl(path: string): RetrievalSet[] {
  const suite = readJson<{
    fixtures: { id: string; title: string; content: string }[]
    cases: { query: string; expectedItemIds: string[] }[]
  }>(path)
  const number = new Map(suite.fixtures.map(({ id }, i) => [id, i]))
  return [
    {
      name: path,
      documents: suite.fixtures.map(({ title, content }) => whole(`${title}. ${content}`)),
      queries: suite.cases
        .map(({ query, expectedItemIds }) => ({ text: query, relevant: numbersOf(expectedItemIds, number) }))
        .filter(({ relevant }) => relevant.size > 0),
    },
  ]
}

interface LocomoSample {
  readonly sample_id: string
  readonly conversation: Record<string, unknown>
  readonly qa: { question: string; evidence?: string[]; category: number }[]
}

interface Turn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

const locomoTurns = (path: string): RetrievalSet[] =>
  readJson<LocomoSample[]>(path).map((sample) => {
    const turns = sessionsOf(sample).flat()
    const number = new Map(turns.map(({ dia_id }, i) => [dia_id, i]))
    return { name: sample.sample_id, documents: turns.map((turn) => whole(sayTurn(turn))), queries: locomoQueries(sample, number) }
  })

const locomoSessions = (path: string): RetrievalSet[] =>
  readJson<LocomoSample[]>(path).map((sample) => {
    const sessions = sessionsOf(sample)
    const number = new Map(sessions.flatMap((turns, i) => turns.map(({ dia_id }) => [dia_id, i] as const)))
    const documents = sessions.map((turns) => ({ text: turns.map(sayTurn).join('\n'), chunks: turns.map(sayTurn) }))
    return { name: sample.sample_id, documents, queries: locomoQueries(sample, number) }
  })

function locomoQueries({ qa }: LocomoSample, number: ReadonlyMap<string, number>) {
  return qa
    .filter(({ category }) => category <= 4)
    .map(({ question, evidence = [] }) => ({ text: question, relevant: numbersOf(evidence.flatMap((id) => id.split(/[;\s]+/)), number) }))
    .filter(({ relevant }) => relevant.size > 0)
}

function sessionsOf({ conversation }: LocomoSample): Turn[][] {
  const keys = Object.keys(conversation).filter((key) => /^session_\d+$/.test(key))
  return keys.sort((a, b) => Number(a.slice(8)) - Number(b.slice(8))).map((key) => conversation[key] as Turn[])
}

const sayTurn = ({ speaker, text, blip_caption }: Turn): string => `${speaker}: ${text}${blip_caption ? ` (${blip_caption})` : ''}`

function cosqa(path: string): RetrievalSet[] {
  const questions = readJson<{ doc: string; code: string; retrieval_idx: number }[]>(path)
  const numbers = Object.entries(readJson<Record<string, number>>(path.replace('cosqa-retrieval-dev-500.json', 'code_idx_map.txt')))
  const documents = numbers.sort((a, b) => a[1] - b[1]).map(([code]) => whole(code))
  return [{ name: path, documents, queries: questions.map(({ doc, retrieval_idx }) => ({ text: doc, relevant: new Set([retrieval_idx]) })) }]
}

function adrs(folder: string): RetrievalSet[] {
  const found = globSync('**/*.md', { cwd: folder }).sort().flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8').replace(/^---\n.*?\n---\n/s, '')
    const title = /^# +(.+)$/m.exec(text)
    const body = title ? text.slice(title.index + title[0].length).trim() : ''
    return title && body.length > 200 ? [{ title: (title[1] as string).replace(/^(ADR[- ]?)?\d*[.:)]? */i, ''), body }] : []
  })
  const documents = found.map(({ body }) => ({ text: body, chunks: chunksOf(body) }))
  return [{ name: folder, documents, queries: found.map(({ title }, i) => ({ text: title, relevant: new Set([i]) })) }]
}

function chunksOf(text: string): string[] {
  const chunks = ['']
  for (const paragraph of text.split(/\n\s*\n/)) {
    if ((chunks.at(-1) as string).length + paragraph.length > 900) chunks.push('')
    chunks[chunks.length - 1] += `${paragraph}\n\n`
  }
  return chunks.filter((chunk) => chunk.trim())
}

const whole = (text: string) => ({ text, chunks: [text] })
const numbersOf = (ids: readonly string[], number: ReadonlyMap<string, number>) =>
  new Set(ids.flatMap((id) => (number.has(id) ? [number.get(id) as number] : [])))
const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T
