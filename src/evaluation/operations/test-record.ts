import { z } from 'zod'
import { shortId } from '../../analyst/operations/draft-named.ts'
import { contextHere } from '../../analyst/operations/project-key.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { isPlainObject } from '../../kernel/domain/input/read-value.ts'
import { fieldNamed, operationNamed } from '../../kernel/domain/named-operation.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { ORIGINS } from '../../retrieval/domain/ranking/indexed-document.ts'
import { caseText, type WrittenCase } from '../domain/case-text.ts'
import { readCases } from '../domain/read-cases.ts'
import { CASE_KINDS } from '../domain/test-case.ts'
import { recordTurn, type Recorded, type RecordOptions } from './record-chat.ts'
import { recordFeedback, type RecordedFeedback } from './record-feedback.ts'
import { recordCheck, recordSearch, USUAL } from './record-found.ts'
import { recordMemory } from './record-memory.ts'
import { casesIn, testsPlace, type TestsPlace } from './tests-here.ts'
import { writeCase, type CaseWritten } from './write-case.ts'

const words = z.string().min(1).max(20_000)

const input = {
  chat: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('A chat by its id or a prefix of it, one of its messages, or last.'),
  feedback: z.string().min(1).max(100).optional().describe('A downvote: the answer, the draft in the inbox, or last.'),
  search: words.optional().describe('A search query, run now.'),
  want: z
    .array(z.string().min(1).max(300))
    .max(100)
    .default([])
    .describe('Expected hits: id, path or D12; default: the strong hits now.'),
  at: z.number().int().min(1).max(100).default(USUAL).describe('Expected within the first N hits.'),
  mode: z.enum(['both', 'words', 'meaning']).default('both').describe('Search mode.'),
  origin: z.array(z.enum(ORIGINS)).optional().describe('Origins to search.'),
  check: words.optional().describe('A proposal, checked against decisions now.'),
  memory: z.boolean().default(false).describe('Record the memories learned in the chat instead of its answer.'),
  file: z.string().min(1).max(300).optional().describe('File to add it to; default: a new file.'),
  name: z.string().trim().min(1).max(200).optional().describe('Case name.'),
  tag: z.array(z.string().min(1).max(60)).max(20).default([]),
  dry_run: z.boolean().default(false).describe('Only show the case.'),
}

type Input = z.output<z.ZodObject<typeof input>>

export const testRecord = defineOperation({
  name: 'test_record',
  title: 'Record a test',
  summary: 'Turn a chat, a downvote, a search or a check into a test case.',
  details: `The last chat here unless something else is named. An answer that rests on a query expects the result of that statement; any other its numbers, a question back or a refusal. A search expects what it finds strongly now, a check what it shows now.
What only the analyst said stands in comments, for you to say what of it must stay. A new file is made, or the case is added to the one that is named; nothing else in it changes. \`ken test --record\` is the same.`,
  effect: 'write',
  fromPage: 'free',
  words: 'analyst',
  needs: ['analyst', 'context', 'machine', 'memory', 'record'],
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['chat'],
  input,
  output: {
    name: z.string(),
    kind: z.enum(CASE_KINDS),
    file: z.string(),
    line: z.number(),
    new_file: z.boolean(),
    written: z.boolean(),
    draft: z.boolean().describe('A person must add the expected result.'),
    text: z.string(),
    notes: z.array(z.string()),
    undo: z.string(),
  },
  examples: [
    { title: 'The current result of a check', input: { check: 'Use Redis as the hot-read cache' } },
    {
      title: 'Expected search results',
      input: { search: 'why did we move off the old queue', want: ['D1'], dry_run: true },
    },
  ],
  async run(ctx, given) {
    refuseSeveral(given)
    const place = await testsPlace(ctx)
    const found = await casesIn(ctx, place)
    const taken = new Set([...found.cases.map(({ test }) => test.name), ...found.drafts.map((one) => one.name)])
    if (given.name !== undefined && [...taken].some((one) => one.toLowerCase() === given.name!.toLowerCase()))
      throw new AppError('conflict', `A case named "${given.name}" already exists.`, {
        hint: `Choose another ${fieldNamed('name')}.`,
      })
    const options = { name: given.name, tags: given.tag, taken }
    const isDry = given.dry_run
    if (given.feedback !== undefined) {
      const recorded = await recordFeedback(ctx, given.feedback, options)
      const written = await writeCase(ctx.configFiles, place, { ...recorded, file: given.file, isDry, isBare: true })
      const undo = await settled(ctx, recorded, { place, written, isDry })
      return told(recorded, written, { isDry, undo })
    }
    const { written: drawn, notes } = await recorded(ctx, given, options)
    const { written: clean, count } = await redactCase(ctx, drawn)
    const text = caseText(clean)
    const name = clean.fields.name
    const written = await writeCase(ctx.configFiles, place, { text, name, file: given.file, isDry })
    const taken_out = count > 0 ? ['What looked like a secret was taken out of it.'] : []
    return told({ text, name, notes: [...notes, ...taken_out] }, written, { isDry, undo: takeBack(written) })
  },
  render({ name, kind, file, line, written, draft, text, notes, undo }, _input, view = PLAIN) {
    return [
      written
        ? `Recorded "${name}" (${draft ? 'a draft, ' : ''}${kind}) in ${file}:${line}.`
        : `This would be recorded in ${file}:${line}; nothing was written.`,
      '',
      text.trimEnd(),
      '',
      ...notes.map((note) => view.mark('warning', note)),
      ...(written
        ? [...(draft ? [] : [`Run it with ${operationNamed('test_run')} --select.`]), `To take it back: ${undo}.`]
        : []),
    ].join('\n')
  },
})

const recorded = (
  ctx: Given<'analyst' | 'context' | 'machine' | 'memory' | 'record'>,
  given: Input,
  options: RecordOptions,
): Promise<Recorded> => {
  const { search: query, check, chat = 'last' } = given
  if (query !== undefined) return recordSearch(ctx, { ...given, query }, options)
  if (check !== undefined) return recordCheck(ctx, check, options)
  return given.memory ? recordMemory(ctx, chat, options) : recordTurn(ctx, chat, options)
}

/** Accepts only one thing to record per call: further ones would be silently ignored. */
function refuseSeveral(given: Input): void {
  const named = (['chat', 'feedback', 'search', 'check'] as const).filter((field) => given[field] !== undefined)
  if (named.length > 1)
    throw new AppError('invalid_input', `Record one thing at a time, not ${named.map(fieldNamed).join(' and ')}.`)
  const [of] = named
  if (given.memory && of !== undefined && of !== 'chat')
    throw new AppError(
      'invalid_input',
      `${fieldNamed('memory')} needs a chat; it can’t be combined with ${fieldNamed(of)}.`,
    )
  if (given.want.length > 0 && of !== 'search')
    throw new AppError('invalid_input', `${fieldNamed('want')} needs ${fieldNamed('search')}.`)
}

const takeBack = ({ path, line, isNew }: CaseWritten): string =>
  isNew ? `remove ${path}` : `take out what begins in line ${line} of ${path}`

interface Settling {
  readonly place: TestsPlace
  readonly written: CaseWritten
  readonly isDry: boolean
}

/** Settles a draft written to a file. The inbox can undo this if it would have written the same file. */
async function settled(
  ctx: Given<'analyst'>,
  { draft }: RecordedFeedback,
  { place, written, isDry }: Settling,
): Promise<string> {
  if (draft === undefined || isDry) return takeBack(written)
  const { feedback } = await ctx.analystState()
  const at = ctx.clock.now().toISOString()
  const isApplied = written.isNew && place.root === draft.folder && place.within === 'tests'
  // The inbox removes a file only while it equals the draft.
  if (isApplied && written.whole !== draft.body)
    await feedback.edit(draft.id, { title: draft.title, body: written.whole })
  await feedback.settle(
    draft.id,
    isApplied
      ? { how: 'applied', at, where: written.path }
      : { how: 'dismissed', at, where: `recorded in ${written.path}` },
  )
  return isApplied ? operationNamed('inbox_undo', shortId(draft.id)) : takeBack(written)
}

function told(
  { text, name, notes }: { readonly text: string; readonly name: string; readonly notes: readonly string[] },
  { path, line, isNew }: CaseWritten,
  { isDry, undo }: { readonly isDry: boolean; readonly undo: string },
) {
  const { cases, drafts } = readCases('recorded.yaml', text)
  return {
    name,
    kind: cases[0]?.test.kind ?? kindOf(text),
    file: path,
    line,
    new_file: isNew,
    written: !isDry,
    draft: drafts.length > 0,
    text,
    notes: [...notes],
    undo,
  }
}

const kindOf = (text: string) =>
  CASE_KINDS.find((kind) => new RegExp(`^\\s*kind: ${kind}$`, 'm').test(text)) ?? 'answer'

/** Redacts a case before it is written as YAML: a redaction mark inside a YAML line could change its meaning. */
async function redactCase(
  ctx: Given<'context'>,
  written: WrittenCase,
): Promise<{ readonly written: WrittenCase; readonly count: number }> {
  const project = await contextHere(ctx)
  let count = 0
  const clean = async (text: string): Promise<string> => {
    const first = await ctx.redactor.redact(text)
    const second = await project?.redact(first.text)
    count += first.count + (second?.count ?? 0)
    return second?.text ?? first.text
  }
  const visit = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return Promise.all(value.map(visit))
    if (!isPlainObject(value)) return value
    const entries = Object.entries(value).map(async ([key, one]) => [key, await visit(one)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
  return { written: (await visit(written)) as WrittenCase, count }
}
