import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { redactDeep } from '../../kernel/domain/secrets/redact-deep.ts'
import { plural } from '../../kernel/domain/text.ts'
import { visibleDeep } from '../../kernel/domain/trust/visible.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../../operations/operation.ts'
import type { Embedder } from '../../retrieval/ports/embedder.ts'
import type { CatalogueEntry } from '../domain/decision/catalogue.ts'
import { embeddingText } from '../domain/decision/decision-texts.ts'
import type { Decision } from '../domain/decision/decision.ts'
import { QUESTIONS } from '../domain/files.ts'
import { buildGraph, groupDecisions } from '../domain/graph/graph.ts'
import type { Grouping } from '../domain/graph/grouping.ts'
import { graphPage, isOwnGraph } from '../domain/graph/page.ts'
import { openQuestions } from '../domain/question.ts'
import { fromHere } from '../import-source.ts'
import { readDecisions } from '../read-decision.ts'
import { asOfField, asOfOf, asOfOutput } from './as-of-field.ts'
import { recordFields, whose } from './record-fields.ts'

const DEFAULT_FILE = 'ken-graph.html'
const STDOUT = '-'

export const graph = defineOperation({
  name: 'graph',
  title: 'Draw the record',
  summary: 'Write all decisions as one offline HTML page with graph and timeline.',
  details: `The page needs nothing else: open it in a browser (\`--open\` does), mail it, keep it with a release. It groups the decisions by topic, type,
folder, tag, date or status, whichever tells most first. \`--format json\` prints the same as data: decisions, groups,
supersessions from both sides, citations (a D-number in a text), families, branch points, open questions and counts.
A file of that name is replaced only if Ken wrote it.`,
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['record'],
  onServer: {},
  hiddenFrom: FOR_PEOPLE,
  holdsFile: ['text'],
  positional: ['output'],
  input: {
    output: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe(`The file to write, or - to print it; ${DEFAULT_FILE} by default, and JSON is printed.`),
    format: z.enum(['html', 'json']).default('html'),
    open: z.boolean().default(false).describe('Show the page in the default browser.'),
    ...asOfField,
    include_bodies: z.boolean().default(true).describe('Include full texts, not only titles and facts.'),
    ...projectField,
  },
  unlisted: ['as_of'],
  output: {
    ...recordFields,
    ...asOfOutput,
    path: z.string().nullable().describe('The file that was written.'),
    text: z.string().nullable().describe('The page or the JSON, if no file was written.'),
    bytes: z.number(),
    decisions: z.number(),
    opened: z.boolean().describe('Whether a browser shows it.'),
    not_opened: z.string().nullable().describe('Why the browser did not open, if requested.'),
    unreadable: z.array(z.object({ path: z.string(), message: z.string() })),
  },
  examples: [
    { title: 'A page in the current folder', input: {} },
    { title: 'As data', input: { format: 'json' } },
    { title: 'Without the texts', input: { output: 'decisions.html', include_bodies: false } },
  ],
  async run(ctx, input) {
    const isWritten = input.format === 'html' && ctx.team === undefined
    const target = input.output ?? (isWritten ? DEFAULT_FILE : STDOUT)
    if (input.open && (target === STDOUT || input.format !== 'html'))
      throw new AppError('invalid_input', 'Can’t open a page that is not written to a file.', {
        hint: 'Omit `--format` and `-`.',
      })
    if (target !== STDOUT && ctx.origin?.surface !== 'cli')
      throw new AppError('forbidden', 'Files can only be written from a terminal.', {
        hint: 'Set `output` to - to get the page or data in the answer.',
      })
    const store = await ctx.record(input.project_id, { asOf: input.as_of })
    const { decisions, unreadable } = await store.catalogue()
    const bodies = input.include_bodies
    // Without bodies the catalogue has everything: a large record is drawn without reading a file.
    const texts = bodies ? await readDecisions(store, decisions) : new Map<string, Decision>()
    const questions = openQuestions((await store.read(QUESTIONS)) ?? '')
    const source = {
      project: store.project,
      generatedAt: ctx.clock.now().toISOString(),
      decisions,
      texts,
      questions,
      unreadable,
      groupings: await groupings(ctx, decisions, texts, bodies),
    }
    // Done before the graph becomes HTML or JSON, which redaction and escaped hidden characters would break.
    const drawn = visibleDeep(redactDeep(buildGraph(source, { bodies })).value)
    // Indented for people: of a large record, a third of the JSON would be spaces.
    const indent = ctx.origin?.surface === 'cli' ? 2 : undefined
    const text =
      input.format === 'html' ? graphPage(drawn, await ctx.graphViewer()) : `${JSON.stringify(drawn, null, indent)}\n`
    const bytes = new TextEncoder().encode(text)
    if (target !== STDOUT) await writeOwn(ctx, fromHere(ctx, target), bytes)
    const shown = input.open ? await machineOf(ctx).openInBrowser(fromHere(ctx, target)) : undefined
    return {
      ...whose(store),
      ...asOfOf(store),
      path: target === STDOUT ? null : target,
      text: target === STDOUT ? text : null,
      bytes: bytes.length,
      decisions: decisions.length,
      opened: shown !== undefined && shown.problem === undefined,
      not_opened: shown?.problem ?? null,
      unreadable: [...drawn.unreadable],
    }
  },
  isProse: ({ output, format }) => !(output === STDOUT || (output === undefined && format === 'json')),
  render: (output) =>
    output.text?.trimEnd() ??
    [
      `Drew ${plural(output.decisions, 'decision')} into ${output.path} (${Math.ceil(output.bytes / 1024)} KB). ${nextStep(output)}`,
      ...output.unreadable.map((file) => `  left out: ${file.path}: ${file.message}`),
    ].join('\n'),
})

// Cached by identity: the list is the same object until a decision changes, and topics are most of the work.
const grouped = new WeakMap<readonly CatalogueEntry[], Map<string, readonly Grouping[]>>()

/** Groups by the meaning of texts, or of titles without bodies; by words with embeddings off. */
async function groupings(
  ctx: Given<'record'>,
  decisions: readonly CatalogueEntry[],
  texts: ReadonlyMap<string, Decision>,
  bodies: boolean,
): Promise<readonly Grouping[]> {
  const embedder = await ctx.bundledEmbedder()
  const known = grouped.get(decisions) ?? new Map<string, readonly Grouping[]>()
  grouped.set(decisions, known)
  const key = `${embedder?.id} ${bodies}`
  const found =
    known.get(key) ??
    groupDecisions({ decisions, texts, ...(embedder && (await meanings(embedder, decisions, texts))) }, { bodies })
  known.set(key, found)
  return found
}

/** Vectors of the decisions, by stem. */
async function meanings(
  embedder: Embedder,
  decisions: readonly CatalogueEntry[],
  texts: ReadonlyMap<string, Decision>,
): Promise<{ vectors: ReadonlyMap<string, Float32Array> }> {
  const vectors = await embedder.embed(
    decisions.map(({ stem, title }) => {
      const text = texts.get(stem)
      return text === undefined ? title : embeddingText(text)
    }),
    'document',
  )
  return { vectors: new Map(decisions.map(({ stem }, i) => [stem, vectors[i]!])) }
}

async function writeOwn(ctx: Given, path: string, bytes: Uint8Array): Promise<void> {
  const present = await machineOf(ctx).files.read(path)
  if (present !== undefined && !isOwnGraph(present))
    throw new AppError('conflict', `${path} exists and was not created by \`ken graph\`.`, {
      hint: 'Choose another name, e.g. `ken graph decisions.html`, or move that file away.',
    })
  await machineOf(ctx).files.write(path, bytes, { replace: present !== undefined })
}

function nextStep({ opened, not_opened }: { opened: boolean; not_opened: string | null }): string {
  if (opened) return 'Your browser shows it.'
  return not_opened === null ? 'Open it in a browser.' : `No browser could be opened (${not_opened}): open it yourself.`
}
