import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import type { ChartSpec } from '../domain/chart/chart.ts'
import type { ChatPart } from '../domain/chat/part.ts'
import { answerText, turnAnswer } from '../domain/chat/turn-answer.ts'
import { linkedCitations } from '../domain/citation/read-citations.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import { createStory } from '../save-story.ts'
import { answerNamed, type NamedAnswer } from './answer-named.ts'
import { faultLines, noticesField, storyParts } from './story-parts.ts'

const LONGEST_TITLE = 100
// Rows shown in a story; the rest is a click away.
const TABLE_ROWS = 50

export const storyFromAnswer = defineOperation({
  name: 'story_from_answer',
  title: 'Make a story of an answer',
  summary: 'Save an answer as a story, with its charts and table.',
  details:
    'The last answer here unless you name one by its id or by that of its chat. The story has its rows with it, so it stays when the chat goes, and can be refreshed and scheduled as any other.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'context'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['message'],
  input: {
    message: z.string().min(1).max(100).default('last').describe('The id of the answer or of its chat.'),
    title: z.string().min(1).max(200).optional().describe('Title; default: the question.'),
  },
  output: {
    slug: z.string(),
    title: z.string(),
    version: z.number(),
    faults: z.array(z.string()),
    notices: noticesField,
  },
  examples: [{ title: 'The last answer', input: {} }],
  async run(ctx, input) {
    const answer = await answerNamed(ctx, input.message)
    const parts = await storyParts(ctx)
    const { question, said } = await readAnswer(parts.state, answer)
    const title = visibleLine(input.title ?? ellipsis(question.trim().split('\n')[0] ?? '', LONGEST_TITLE)).trim()
    const text = storyOf(title, said)
    if (text === undefined)
      throw new AppError('invalid_input', 'This answer has no content for a story.', {
        hint: `Use another one; list chats with ${operationNamed('chats_list')}.`,
      })
    const { chat } = answer
    const { story, version, faults, notices } = await createStory(parts, {
      user: ctx.user,
      project: chat.project,
      folder: chat.folder,
      chat: chat.id,
      title: title || 'An answer',
      slug: undefined,
      text,
      by: 'person',
      // Numbers that the chat marked stay marked.
      wrong: 'mark',
    })
    return { slug: story.slug, title: story.title, version, faults: faultLines(faults), notices: [...notices] }
  },
  render: ({ slug, faults, notices }) =>
    [`Saved as ${slug}. ${operationNamed('story_show', slug)} shows it.`, ...faults, ...notices].join('\n'),
})

async function readAnswer(
  { log }: AnalystState,
  { chat, message }: NamedAnswer,
): Promise<{ readonly question: string; readonly said: readonly ChatPart[] }> {
  const [messages, parts] = await Promise.all([log.messages(chat.id), log.parts(chat.id, 0)])
  const of = (id: string | undefined): ChatPart[] => parts.filter((one) => one.message === id).map(({ part }) => part)
  const at = messages.findIndex(({ id }) => id === message.id)
  const asked = messages.slice(0, Math.max(0, at)).findLast(({ role }) => role === 'user')
  return { question: answerText(of(asked?.id)), said: of(message.id) }
}

/** Composes a story from an answer; undefined if there is neither text nor a chart. */
function storyOf(title: string, said: readonly ChatPart[]): string | undefined {
  const { text: answer, charts, citations } = turnAnswer(said)
  const text = linkedCitations(answer)
  if (text === '' && charts.length === 0) return undefined
  const drawn = new Set(charts.map(({ query }) => query))
  const ran = said.flatMap((part) =>
    part.kind === 'result' && part.tool === 'execute_sql' && !part.failed ? queryOf(part.output) : [],
  )
  // Tables for the sources of cited numbers and for the last result, unless a chart already shows their data.
  const cited = new Set(citations.flatMap(({ query }) => query ?? []))
  const tables = [...new Set(ran)].filter((query) => !drawn.has(query) && (cited.has(query) || query === ran.at(-1)))
  return [
    text.startsWith('# ') ? '' : `# ${title}`,
    text,
    ...charts.map(chartTag),
    ...tables.map((query) => `<table query="${query}" limit="${TABLE_ROWS}"/>`),
  ]
    .filter((block) => block !== '')
    .join('\n\n')
}

function queryOf(output: unknown): readonly string[] {
  const id = (output as { readonly query_id?: unknown } | null | undefined)?.query_id
  return typeof id === 'string' ? [id] : []
}

function chartTag({ query, kind, title, x, series, seriesBy }: ChartSpec): string {
  const attributes = Object.entries({
    query,
    kind,
    title,
    x,
    y: series.map(({ column }) => column).join(','),
    series_by: seriesBy,
  })
    .filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '')
    .map(([name, value]) => `${name}="${escaped(value)}"`)
  return `<chart ${attributes.join(' ')}/>`
}

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
