import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentOrigin } from '../src/core/search/indexed-document.ts'

export interface LabelledQuery {
  readonly text: string
  readonly relevant: ReadonlySet<number>
  /** Documents that must not come back. */
  readonly stale?: ReadonlySet<number>
  readonly limit?: number
  /** The document that the query was made from. */
  readonly exclude?: number
}

/** Documents that are searched as one, and questions with the documents that answer them. */
export interface LabelledPart {
  readonly origin: DocumentOrigin
  readonly documents: readonly string[]
  readonly queries: readonly LabelledQuery[]
}

export interface Metric {
  readonly name: string
  readonly baseline?: string
  of(ranking: readonly number[], query: LabelledQuery): number
}

const SETS = [
  { name: 'LoCoMo sessions', file: 'locomo/locomo10.json', load: locomo, metrics: () => [hit(1, '.715 BM25; .752 BM25 + e5-large'), evidence(10, '.934'), gain(5, '.806; .829')] },
  { name: 'BEAM 100K messages', file: 'beam/100K', load: beam, metrics: () => [any(10, '.594'), gain(10, '.309')] },
  { name: 'Knowl semantic-suite', file: 'knowl/semantic-suite.json', load: knowl, metrics: () => [gain(10, '.792'), evidence(3, '.785')] },
  { name: 'Knowl retrieval-suite', file: 'knowl/retrieval-suite.json', load: knowl, metrics: () => [gain(10, '.896'), evidence(3, '.950')] },
  { name: 'Knowl retrieval-suite v2', file: 'knowl/retrieval-suite-v2.json', load: knowl, metrics: () => [gain(10), evidence(3), stale()] },
  { name: 'Knowl governance', file: 'knowl/retrieval-governance.json', load: knowl, metrics: () => [evidence(1, '.773'), stale('22 of 44')] },
  { name: 'CoSQA dev', file: 'cosqa/cosqa-retrieval-dev-500.json', load: cosqa, metrics: () => [reciprocal('.329'), gain(10, '.336')] },
  { name: 'ADR supersession', file: 'adrs/supersessions.jsonl', load: adrs, metrics: () => [evidence(5, '.80')] },
]

export function* loadSets(folder: string, only: string | undefined) {
  for (const { name, file, load, metrics } of SETS) {
    if (only !== undefined && !name.toLowerCase().includes(only.toLowerCase())) continue
    yield { name, file, metrics: metrics(), parts: existsSync(join(folder, file)) ? load(join(folder, file)) : undefined }
  }
}

const found = (ranking: readonly number[], query: LabelledQuery, depth: number) => ranking.slice(0, depth).filter((at) => query.relevant.has(at)).length
const named = (baseline: string | undefined) => (baseline === undefined ? {} : { baseline })
const hit = (depth: number, baseline?: string): Metric => ({ name: `Hit@${depth}`, ...named(baseline), of: (ranking, query) => Math.min(1, found(ranking, query, depth)) })
const any = (depth: number, baseline?: string): Metric => ({ ...hit(depth, baseline), name: `any@${depth}` })
const evidence = (depth: number, baseline?: string): Metric => ({ name: `recall@${depth}`, ...named(baseline), of: (ranking, query) => found(ranking, query, depth) / query.relevant.size })
const reciprocal = (baseline?: string): Metric => ({ name: 'MRR@10', ...named(baseline), of: (ranking, { relevant }) => 1 / (ranking.findIndex((at) => relevant.has(at)) + 1 || Infinity) })
const stale = (baseline?: string): Metric => ({ name: 'stale returned', ...named(baseline), of: (ranking, query) => Number(ranking.some((at) => query.stale?.has(at))) })
const gain = (depth: number, baseline?: string): Metric => ({
  name: `nDCG@${depth}`,
  ...named(baseline),
  of(ranking, { relevant }) {
    const sum = ranking.slice(0, depth).reduce((total, at, i) => total + (relevant.has(at) ? 1 / Math.log2(i + 2) : 0), 0)
    let ideal = 0
    for (let i = 0; i < Math.min(depth, relevant.size); i++) ideal += 1 / Math.log2(i + 2)
    return sum / ideal
  },
})

interface Turn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

function locomo(path: string): LabelledPart[] {
  return readJson<{ conversation: Record<string, unknown>; qa: { question: string; evidence?: string[] }[] }[]>(path).map(({ conversation, qa }) => {
    const keys = Object.keys(conversation).filter((key) => /^session_\d+$/.test(key)).sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
    const sessions = keys.map((key) => conversation[key] as Turn[])
    const number = new Map(sessions.flatMap((turns, at) => turns.map(({ dia_id }) => [dia_id, at] as const)))
    const documents = sessions.map((turns, at) => `# Conversation on ${String(conversation[`${keys[at]}_date_time`])}\n\n${turns.map((turn, i) => `## ${i % 2 === 0 ? 'User' : 'Assistant'}\n\n${turn.speaker}: ${turn.text}${turn.blip_caption ? ` (${turn.blip_caption})` : ''}\n`).join('\n')}`)
    const queries = qa.map(({ question, evidence: named = [] }) => ({ text: question, relevant: numbers(named.flatMap((id) => id.split(/[;\s]+/)), number) }))
    return { origin: 'session', documents, queries: queries.filter(({ relevant }) => relevant.size > 0) }
  })
}

function beam(folder: string): LabelledPart[] {
  const chats = globSync('*/chat.json', { cwd: folder }).sort((a, b) => parseInt(a, 10) - parseInt(b, 10))
  return chats.map((file) => {
    const messages = readJson<{ turns: { id: number; role: string; content: string }[][] }[]>(join(folder, file)).flatMap(({ turns }) => turns.flat())
    const number = new Map(messages.map(({ id }, at) => [String(id), at]))
    const kinds = readJson<Record<string, { question: string; source_chat_ids?: unknown }[]>>(join(folder, file.replace('chat.json', 'probing_questions/probing_questions.json')))
    const queries = Object.values(kinds).flat().map(({ question, source_chat_ids }) => ({ text: question, relevant: numbers(leaves(source_chat_ids), number) }))
    return { origin: 'session', documents: messages.map(({ content }) => content.replace(/\s*->->.*$/s, '')), queries: queries.filter(({ relevant }) => relevant.size > 0) }
  })
}

/** Gold ids come as lists, and as lists by name. */
const leaves = (value: unknown): string[] => (typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : value === undefined || value === null ? [] : [String(value)])

interface Fixture {
  readonly id: string
  readonly title: string
  readonly content: string
  readonly reasoning?: string
  readonly tags?: string[]
  readonly status?: string
  readonly freshness?: string
}

function knowl(path: string): LabelledPart[] {
  const suite = readJson<{ fixtures: Fixture[]; cases: { query: string; expectedItemIds?: string[]; mustNotReturn?: string[]; limit?: number }[] }>(path)
  const number = new Map(suite.fixtures.map(({ id }, at) => [id, at]))
  const queries = suite.cases.map(({ query, expectedItemIds = [], mustNotReturn = [], limit }) => ({ text: query, relevant: numbers(expectedItemIds, number), stale: numbers(mustNotReturn, number), ...(limit !== undefined && { limit }) }))
  return [{ origin: 'document', documents: suite.fixtures.map(toMarkdown), queries: queries.filter(({ relevant }) => relevant.size > 0) }]
}

/** As the fact would stand in a file: what is known of it in the frontmatter, the rest as text. */
function toMarkdown({ title, content, reasoning, tags, status, freshness }: Fixture): string {
  const facts = [`title: ${JSON.stringify(title)}`, tags && `tags: [${tags.join(', ')}]`, status && `status: ${status}`, freshness && `freshness: ${freshness}`]
  return `---\n${facts.filter((fact) => fact).join('\n')}\n---\n${content}\n${reasoning ? `\n${reasoning}\n` : ''}`
}

function cosqa(path: string): LabelledPart[] {
  const questions = readJson<{ doc: string; retrieval_idx: number }[]>(path)
  const codes = Object.entries(readJson<Record<string, number>>(path.replace('cosqa-retrieval-dev-500.json', 'code_idx_map.txt'))).sort((a, b) => a[1] - b[1])
  return [{ origin: 'code', documents: codes.map(([code]) => code), queries: questions.map(({ doc, retrieval_idx }) => ({ text: doc, relevant: new Set([retrieval_idx]) })) }]
}

function adrs(path: string): LabelledPart[] {
  const folder = join(path, '..')
  const files = globSync('**/*.md', { cwd: folder }).sort()
  const number = new Map(files.map((file, at) => [file, at]))
  const documents = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  const pairs = readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { old: string; new: string })
  const queries = pairs.flatMap(({ old, new: replaced }) => {
    const [from, to] = [number.get(replaced), number.get(old)]
    if (from === undefined || to === undefined) return []
    const title = /^# +(.+)$/m.exec(documents[from]!)?.[1] ?? ''
    return [{ text: `${title} ${documents[from]!.replace(/^---\n.*?\n---\n/s, '').slice(0, 600)}`, relevant: new Set([to]), exclude: from }]
  })
  return [{ origin: 'document', documents, queries }]
}

const numbers = (ids: readonly string[], number: ReadonlyMap<string, number>): Set<number> => new Set(ids.flatMap((id) => number.get(id) ?? []))
const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T
