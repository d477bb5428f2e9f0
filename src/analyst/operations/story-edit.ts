import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { notFound } from '../../kernel/domain/phrases.ts'
import { plainText, visibleLine } from '../../kernel/domain/trust/visible.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { LONGEST_STORY } from '../domain/story/edit-story.ts'
import { readStory } from '../domain/story/read-story.ts'
import { newestVersion, saveVersion } from '../save-story.ts'
import { slugField, versionOf } from './stories.ts'
import { faultLines, findStory, noticesField, storyParts, waitingField, waitingLines } from './story-parts.ts'

export const storyEdit = defineOperation({
  name: 'story_edit',
  title: 'Edit a story',
  summary: 'Edit a story in your editor or from a file; keeps the old version.',
  details:
    'Needs a terminal and $VISUAL or $EDITOR; --file and --text take the whole new text instead (- for standard input). Charts and tables may name every query of the chat that the story came from, and the statements that the text itself contains: ```sql q_revenue, the statement, ```.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'context'],
  onServer: {},
  positional: ['slug'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    slug: slugField,
    text: z.string().min(1).max(LONGEST_STORY).optional().describe('The whole new text; default: open your editor.'),
    file: z.string().min(1).max(4096).optional().describe('Read the new text from this file.'),
    title: z.string().min(1).max(200).optional().describe('A new title.'),
    from_version: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('The version the text is based on; refused if a newer one was saved.'),
  },
  output: {
    slug: z.string(),
    version: z.number(),
    changed: z.boolean(),
    meanwhile: z.number().optional().describe('A version that was saved while the editor was open.'),
    waiting: waitingField,
    faults: z.array(z.string()),
    notices: noticesField,
  },
  examples: [{ title: 'With the text at hand', input: { slug: 'sales', text: '# Sales\n\nBy kind of order.' } }],
  async run(ctx, input) {
    if (input.text !== undefined && input.file !== undefined)
      throw new AppError('invalid_input', 'Pass a text or a file, not both.')
    const parts = await storyParts(ctx)
    const story = await findStory(ctx, input.slug)
    const before = await newestVersion(parts.state, story)
    refuseStale(story.slug, { began: input.from_version, newest: before.version })
    const text = await newText(ctx, input, { before: before.text, slug: story.slug })
    const title = input.title === undefined ? undefined : visibleLine(input.title)
    const newest = await newestVersion(parts.state, story)
    const saved = await saveVersion(parts, story, { text, by: 'person', title })
    return {
      slug: story.slug,
      version: saved.version,
      changed: saved.changed,
      ...(newest.version !== before.version && { meanwhile: newest.version }),
      waiting: [...saved.waiting],
      faults: faultLines(saved.faults),
      notices: [...saved.notices],
    }
  },
  render: ({ slug, version, changed, meanwhile, waiting, faults, notices }) =>
    [
      changed ? `Saved ${slug}, version ${version}.` : `${slug} stays as it is.`,
      ...(meanwhile === undefined
        ? []
        : [
            `Version ${meanwhile} was saved while you wrote; yours replaces it. ${operationNamed('story_diff', slug)} shows the difference.`,
          ]),
      ...waitingLines(slug, waiting),
      ...faults,
      ...notices,
    ].join('\n'),
})

function refuseStale(slug: string, { began, newest }: { began: number | undefined; newest: number }): void {
  if (began === undefined || began === newest) return
  throw new AppError('conflict', `Version ${newest} of ${slug} was saved since version ${began}.`, {
    hint: `${operationNamed('story_diff', slug)} shows what changed. Save again from version ${newest}, or without from_version to replace it.`,
  })
}

interface GivenText {
  readonly text?: string | undefined
  readonly file?: string | undefined
  readonly title?: string | undefined
}

async function newText(
  ctx: Given,
  { text, file, title }: GivenText,
  { before, slug }: { before: string; slug: string },
): Promise<string> {
  if (text !== undefined) return plainText(text)
  if (file !== undefined) {
    // A server does not read local files for its callers.
    if (ctx.origin.surface !== 'cli')
      throw new AppError('forbidden', 'A file can only be given at a terminal.', { hint: 'Send the text.' })
    const { files, pathNamed } = machineOf(ctx)
    const read = await files.read(pathNamed(file))
    if (read === undefined) throw new AppError('not_found', notFound('File', file))
    return plainText(read)
  }
  if (ctx.editText === undefined) {
    if (title !== undefined) return before
    throw new AppError('unavailable', 'Can’t open an editor: needs a terminal and $VISUAL or $EDITOR.', {
      hint: `E.g. \`EDITOR=nano ken stories edit ${slug}\`, or give a text or a file.`,
    })
  }
  let written = plainText(await ctx.editText(before, `${slug}.md`))
  for (;;) {
    const faults = written === before ? [] : faultLines(readStory(written).faults)
    if (faults.length === 0 || !(await ctx.confirm?.(`${faults.join('\n')}\nEdit it again?`))) return written
    written = plainText(await ctx.editText(written, `${slug}.md`))
  }
}

export const storyRestore = defineOperation({
  name: 'story_restore',
  title: 'Bring back a version of a story',
  summary: 'Restore an earlier version of a story.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'context'],
  onServer: {},
  positional: ['slug', 'version'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: { slug: slugField, version: z.number().int().min(1).describe('Version number.') },
  output: { slug: z.string(), from: z.number(), version: z.number(), changed: z.boolean() },
  examples: [{ title: 'The first version', input: { slug: 'sales', version: 1 } }],
  async run(ctx, input) {
    const parts = await storyParts(ctx)
    const story = await findStory(ctx, input.slug)
    const { text } = await versionOf(parts.state, story, input.version)
    const { version, changed } = await saveVersion(parts, story, { text, by: 'person', wrong: 'mark' })
    return { slug: story.slug, from: input.version, version, changed }
  },
  render: ({ slug, from, version, changed }) =>
    changed ? `Version ${from} of ${slug} is now version ${version}.` : `${slug} says that already.`,
})

const archiveOutput = { slug: z.string(), changed: z.boolean() }

export const storyArchive = defineOperation({
  name: 'story_archive',
  title: 'Archive a story',
  summary: 'Archive a story: hides it and stops its refreshes.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['slug'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: { slug: slugField },
  output: archiveOutput,
  examples: [{ title: 'Put away', input: { slug: 'sales' } }],
  run: (ctx, { slug }) => archive(ctx, slug, ctx.clock.now().toISOString()),
  render: ({ slug, changed }) =>
    changed
      ? `Archived ${slug}. ${operationNamed('story_unarchive', slug)} brings it back.`
      : `${slug} is archived already.`,
})

export const storyUnarchive = defineOperation({
  name: 'story_unarchive',
  title: 'Bring back an archived story',
  summary: 'Unarchive a story.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  positional: ['slug'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: { slug: slugField },
  output: archiveOutput,
  examples: [{ title: 'Bring back', input: { slug: 'last-year' } }],
  run: (ctx, { slug }) => archive(ctx, slug, null),
  render: ({ slug, changed }) => (changed ? `${slug} is back.` : `${slug} is not archived.`),
})

async function archive(ctx: Given<'analyst'>, named: string, archivedAt: string | null) {
  const { stories } = await ctx.analystState()
  const { id, slug, archivedAt: before } = await findStory(ctx, named)
  const changed = (before === undefined) === (archivedAt !== null)
  if (changed) await stories.change(id, { archivedAt })
  return { slug, changed }
}
