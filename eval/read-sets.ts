import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LabelledDocument, LabelledPart, LabelledQuery } from './labelled-sets.ts'

interface Turn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

interface LocomoSample {
  readonly conversation: Record<string, unknown>
  readonly qa: readonly { question: string; evidence?: string[]; category: number }[]
}

/** A conversation between two people, one file per session, in the format of a harvested session. */
export function readLocomoSessions(path: string): LabelledPart[] {
  return readJson<LocomoSample[]>(path).map((sample) => {
    const sessions = sessionsOf(sample)
    const number = new Map(sessions.flatMap(({ turns }, at) => turns.map(({ dia_id }) => [dia_id, at] as const)))
    const documents = sessions.map(({ date, turns }) => {
      const pieces = turns.map(say)
      return {
        file: sessionFile(
          `Conversation on ${date}`,
          pieces.map((text, i) => ({ isUser: i % 2 === 0, text })),
        ),
        text: pieces.join('\n'),
        pieces,
      }
    })
    return { origin: 'session', extension: '.md', documents, queries: locomoQueries(sample, number) }
  })
}

export function readLocomoTurns(path: string): LabelledPart[] {
  return readJson<LocomoSample[]>(path).map((sample) => {
    const turns = sessionsOf(sample).flatMap((session) => session.turns)
    const number = new Map(turns.map(({ dia_id }, at) => [dia_id, at]))
    return {
      origin: 'session',
      extension: '.md',
      documents: turns.map((turn) => whole(say(turn))),
      queries: locomoQueries(sample, number),
    }
  })
}

function sessionsOf({ conversation }: LocomoSample): { date: string; turns: Turn[] }[] {
  const keys = Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
  return keys.map((key) => ({ date: String(conversation[`${key}_date_time`]), turns: conversation[key] as Turn[] }))
}

function locomoQueries({ qa }: LocomoSample, number: ReadonlyMap<string, number>): LabelledQuery[] {
  const queries = qa.map(({ question, evidence = [], category }) => ({
    text: question,
    relevant: numbersOf(
      evidence.flatMap((id) => id.split(/[;\s]+/)),
      number,
    ),
    isTrap: category === 5,
  }))
  return queries.filter(({ relevant }) => relevant.size > 0)
}

const say = ({ speaker, text, blip_caption }: Turn): string =>
  `${speaker}: ${text}${blip_caption ? ` (${blip_caption})` : ''}`

/**
 * A chat of a user with an assistant, one file a message; the questions are the user's. Those that no message answers
 * are left out unless asked for.
 */
export function readBeam(folder: string, { isWithUnanswered = false } = {}): LabelledPart[] {
  return beamChats(folder).map(({ messages, queries: asked }) => {
    const number = new Map(messages.map(({ id }, at) => [id, at]))
    const queries = asked.map(({ kind, text, ids }) => ({
      text,
      relevant: numbersOf(ids, number),
      isTrap: kind === 'abstention',
    }))
    const documents = messages.map(({ isUser, text }) => ({
      ...whole(text),
      file: sessionFile('Conversation', [{ isUser, text }]),
    }))
    return {
      origin: 'session',
      extension: '.md',
      documents,
      queries: queries.filter(({ relevant, isTrap }) => relevant.size > 0 || (isTrap && isWithUnanswered)),
    }
  })
}

/** Lines of a document, 1-based. */
export interface LabelledLines {
  readonly document: number
  readonly startLine: number
  readonly endLine: number
}

/** The same chats, each as one long session; the evidence for a question is some of its lines. */
export function readBeamSessions(
  folder: string,
): { readonly part: LabelledPart; readonly evidence: readonly (readonly LabelledLines[])[] }[] {
  return beamChats(folder).map(({ messages, queries: asked }) => {
    const linesOf = new Map<string, LabelledLines>()
    let line = 3
    for (const { id, text } of messages) {
      // A heading and an empty line before the text, and one after it.
      const endLine = line + 1 + text.split('\n').length
      linesOf.set(id, { document: 0, startLine: line, endLine })
      line = endLine + 2
    }
    const queries = asked.flatMap(({ text, ids }) => {
      const lines = ids.flatMap((id) => linesOf.get(id) ?? [])
      return lines.length === 0 ? [] : [{ text, lines }]
    })
    return {
      part: {
        origin: 'session',
        extension: '.md',
        documents: [whole(sessionFile('Conversation', messages))],
        queries: queries.map(({ text }) => ({ text, relevant: new Set([0]) })),
      },
      evidence: queries.map(({ lines }) => lines),
    }
  })
}

function beamChats(folder: string) {
  const chats = globSync('*/chat.json', { cwd: folder }).sort((a, b) => parseInt(a, 10) - parseInt(b, 10))
  return chats.map((file) => {
    const batches = readJson<{ turns: { id: number; role: string; content: string }[][] }[]>(join(folder, file))
    const kinds = readJson<Record<string, { question: string; source_chat_ids?: unknown }[]>>(
      join(folder, file.replace('chat.json', 'probing_questions/probing_questions.json')),
    )
    return {
      messages: batches
        .flatMap(({ turns }) => turns.flat())
        .map(({ id, role, content }) => ({
          id: String(id),
          isUser: role === 'user',
          text: content.replace(/\s*->->.*$/s, ''),
        })),
      queries: Object.entries(kinds).flatMap(([kind, questions]) =>
        questions.map(({ question, source_chat_ids }) => ({ kind, text: question, ids: leaves(source_chat_ids) })),
      ),
    }
  })
}

/** Flattens gold ids, which are lists or lists by name. */
const leaves = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leaves)
    : value === undefined || value === null
      ? []
      : [String(value)]

const sessionFile = (title: string, turns: readonly { isUser: boolean; text: string }[]): string =>
  `# ${title}\n\n${turns.map(({ isUser, text }) => `## ${isUser ? 'User' : 'Assistant'}\n\n${text}\n`).join('\n')}`

interface Fact {
  readonly id: string
  readonly title: string
  readonly content: string
  readonly reasoning?: string
  readonly tags?: string[]
  readonly status?: string
  readonly freshness?: string
}

export function readKnowl(path: string): LabelledPart[] {
  const suite = readJson<{
    fixtures: Fact[]
    cases: { query: string; expectedItemIds?: string[]; mustNotReturn?: string[]; limit?: number }[]
  }>(path)
  const number = new Map(suite.fixtures.map(({ id }, at) => [id, at]))
  const queries = suite.cases.map(({ query, expectedItemIds = [], mustNotReturn = [], limit }) => ({
    text: query,
    relevant: numbersOf(expectedItemIds, number),
    stale: numbersOf(mustNotReturn, number),
    ...(limit !== undefined && { limit }),
  }))
  const documents = suite.fixtures.map((fact) => ({ ...whole(`${fact.title}. ${fact.content}`), file: factFile(fact) }))
  return [
    { origin: 'document', extension: '.md', documents, queries: queries.filter(({ relevant }) => relevant.size > 0) },
  ]
}

/** Renders a fact as a file: metadata in the frontmatter, the rest as text. */
function factFile({ title, content, reasoning, tags, status, freshness }: Fact): string {
  const facts = [
    `title: ${JSON.stringify(title)}`,
    tags && `tags: [${tags.join(', ')}]`,
    status && `status: ${status}`,
    freshness && `freshness: ${freshness}`,
  ]
  return `---\n${facts.filter((fact) => fact).join('\n')}\n---\n${content}\n${reasoning ? `\n${reasoning}\n` : ''}`
}

export function readCosqa(path: string): LabelledPart[] {
  const questions = readJson<{ doc: string; retrieval_idx: number }[]>(path)
  const codes = Object.entries(
    readJson<Record<string, number>>(path.replace('cosqa-retrieval-dev-500.json', 'code_idx_map.txt')),
  ).sort((a, b) => a[1] - b[1])
  return [
    {
      origin: 'code',
      extension: '.py',
      documents: codes.map(([code]) => whole(code)),
      queries: questions.map(({ doc, retrieval_idx }) => ({ text: doc, relevant: new Set([retrieval_idx]) })),
    },
  ]
}

export const whole = (text: string, path?: string): LabelledDocument => ({
  file: text,
  text,
  pieces: [text],
  ...(path !== undefined && { path }),
})
const numbersOf = (ids: readonly string[], number: ReadonlyMap<string, number>): Set<number> =>
  new Set(ids.flatMap((id) => number.get(id) ?? []))
const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T
