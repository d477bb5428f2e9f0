import { z } from 'zod'
import { ERROR_TABLE } from '../../kernel/domain/errors.ts'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { AnswerTrust } from '../../kernel/domain/trust/trust.ts'
import { defineOperation, forPeople } from '../../operations/operation.ts'
import type { LineSpan, MemoryText } from '../ports/memory.ts'
import { documentTrust } from './document-trust.ts'
import { sameWorkspaceField, withinOf } from './memory-scope.ts'
import { noSuchDocument, readNamed } from './read-named.ts'

const text = z.object({
  id: z.string(),
  path: z.string(),
  title: z.string(),
  origin: z.string(),
  trust: z.string(),
  start_line: z.number(),
  end_line: z.number(),
  total_lines: z.number().describe('Of the file.'),
  before: z.string().optional().describe('Give it as id to read on above.'),
  after: z.string().optional().describe('The same, below.'),
  text: z.string(),
})

/** A model may pass a list. */
const listed = (given: unknown): unknown => (Array.isArray(given) ? given.join(', ') : given)

/** Fields of the answer: further reads are suggested by id, which is shorter than the path. */
function toText(found: MemoryText, trust: AnswerTrust): z.output<typeof text> {
  const { startLine, endLine, totalLines, before, after, ...same } = found
  const placeOf = ({ from, to }: LineSpan) => `${found.id}:${from}-${to}`
  return {
    ...same,
    trust,
    start_line: startLine,
    end_line: endLine,
    total_lines: totalLines,
    ...(before && { before: placeOf(before) }),
    ...(after && { after: placeOf(after) }),
  }
}

export const memoryGet = defineOperation({
  name: 'memory_get',
  title: 'Read a document',
  summary: 'Read what a memory search found, whole or from a line on: a session, note, document.',
  forPeople: 'Read a search hit, or some of its lines.',
  searchHint: 'open search result or hit',
  effect: 'read',
  words: 'memory',
  needs: ['memory', 'record'],
  onServer: {},
  positional: ['id'],
  input: {
    id: z.string().min(1).max(4096).describe('Id, path, or path:12-40.'),
    from_line: z.number().int().min(1).optional().meta(forPeople('From 1.')),
    max_lines: z.number().int().min(1).optional(),
    ...sameWorkspaceField,
  },
  unlisted: ['workspace'],
  output: text.shape,
  examples: [{ title: 'Some lines', input: { id: 'record/project.md', from_line: 1, max_lines: 40 } }],
  async run(ctx, input) {
    const within = await withinOf(ctx, input.workspace)
    const found = await readNamed(ctx, input.id, { from: input.from_line, lines: input.max_lines, within })
    if (found === undefined) throw await noSuchDocument(ctx, input.id, within)
    return toText(found, await documentTrust(ctx)(found))
  },
  render: (output) => `${placeLine(output)}\n\n${output.text}`,
})

export const memoryMultiGet = defineOperation({
  name: 'memory_multi_get',
  title: 'Read several documents',
  summary: 'Read several hits or notes of a memory search at once: ids or paths with commas between, or a glob.',
  forPeople: 'Read several documents: comma-separated ids or paths, or a glob.',
  searchHint: 'all matching, together',
  effect: 'read',
  words: 'memory',
  needs: ['memory', 'record'],
  onServer: {},
  positional: ['pattern'],
  unlisted: ['max_bytes', 'workspace'],
  input: {
    pattern: z
      .preprocess(listed, z.string().min(1).max(10_000))
      .meta(forPeople('E.g. "1f3c9a02b7aa, docs/a.md" or "docs/**/*.md".')),
    max_bytes: z.number().int().min(1).max(10_000_000).default(50_000),
    ...sameWorkspaceField,
  },
  output: {
    documents: z.array(text),
    left_out: z.array(z.string()).describe('Did not fit.'),
    missing: z.array(z.string()),
  },
  examples: [{ title: 'A glob', input: { pattern: 'memory/*.md' } }],
  async run(ctx, input) {
    const memory = await ctx.memory()
    const within = await withinOf(ctx, input.workspace)
    const documents: z.output<typeof text>[] = []
    const leftOut: string[] = []
    const missing: string[] = []
    const seen = new Set<string>()
    const trustOf = documentTrust(ctx)
    let bytes = 0
    for (const part of splitPatterns(input.pattern)) {
      const isGlob = /[*?[\]{}]/.test(part)
      const ids = isGlob ? await memory.match(part, ctx.cwd, within) : [part]
      if (ids.length === 0) missing.push(part)
      for (const id of ids) {
        const found = await readNamed(ctx, id, { within })
        if (found === undefined) missing.push(id)
        const place = found && `${found.path}:${found.startLine}-${found.endLine}`
        if (found === undefined || seen.has(place!)) continue
        seen.add(place!)
        bytes += found.text.length
        if (bytes > input.max_bytes && documents.length > 0) leftOut.push(found.path)
        else documents.push(toText({ ...found, text: found.text.slice(0, input.max_bytes) }, await trustOf(found)))
      }
    }
    return { documents, left_out: leftOut, missing }
  },
  render(output) {
    const texts = output.documents.map((one) => `=== ${one.path} (${one.id}, ${one.origin}, ${one.trust})\n${one.text}`)
    const rest =
      output.left_out.length > 0
        ? [`Left out because of ${fieldNamed('max_bytes')}: ${output.left_out.join(', ')}`]
        : []
    const missing = output.missing.length > 0 ? [`Not in the index: ${output.missing.join(', ')}`] : []
    return [plural(output.documents.length, 'document'), ...texts, ...rest, ...missing].join('\n\n')
  },
  // As `cat` does: 1 if some were shown and others do not exist.
  exit: ({ documents, missing }) => (missing.length === 0 ? 0 : documents.length > 0 ? 1 : ERROR_TABLE.not_found.exit),
})

const placeLine = (output: z.output<typeof text>): string =>
  [
    `${output.path}:${output.start_line}-${output.end_line} of ${output.total_lines}`,
    ...(output.before === undefined ? [] : [`before: ${output.before}`]),
    ...(output.after === undefined ? [] : [`after: ${output.after}`]),
  ].join(' · ')

/** Splits at commas, but not inside braces. */
function splitPatterns(pattern: string): string[] {
  return pattern
    .split(/,(?![^{]*\})/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
