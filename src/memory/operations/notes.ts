import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { noneYet } from '../../kernel/domain/phrases.ts'
import { redactSecrets } from '../../kernel/domain/secrets/redact.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { inBytes, plural } from '../../kernel/domain/text.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { noteEntries } from '../domain/note/note-entries.ts'

const LONG_TERM = 'MEMORY.md'

export const noteNameField = {
  name: z.string().trim().min(1).max(200).describe('MEMORY.md, or the file of a day: 2026-02-03.md.'),
}

export const notesList = defineOperation({
  name: 'notes_list',
  title: 'Files of notes',
  summary: 'List your note files: MEMORY.md and one per day.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output: {
    folder: z.string(),
    files: z.array(
      z.object({ name: z.string(), path: z.string(), notes: z.number(), bytes: z.number(), changed: z.string() }),
    ),
  },
  examples: [{ title: 'All of them', input: {} }],
  async run(ctx) {
    const { notesFolder } = await ctx.upkeep()
    const files = []
    for (const name of await noteFileNames(ctx)) {
      const path = `${notesFolder}/${name}`
      const text = await ctx.files.read(path)
      if (text === undefined) continue
      const notes = noteEntries(text).filter(({ hasText }) => hasText).length
      const bytes = new TextEncoder().encode(text).length
      files.push({ name, path, notes, bytes, changed: (await ctx.files.writtenOn(path)) ?? '' })
    }
    return { folder: notesFolder, files }
  },
  render(output, _input, view = PLAIN) {
    if (output.files.length === 0) return `${noneYet('notes')} Write one with \`ken note "…"\`.`
    return table(
      output.files.map(({ name, notes, bytes }) => [name, plural(notes, 'note'), inBytes(bytes)]),
      [{ tone: 'title' }, { align: 'right' }, { align: 'right', tone: 'dim' }],
      view,
    ).join('\n')
  },
})

export const noteShow = defineOperation({
  name: 'note_show',
  title: 'Show a file of notes',
  summary: 'Show a note file and the hash needed to save it.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  isProse: () => false,
  input: noteNameField,
  output: {
    name: z.string(),
    path: z.string(),
    text: z.string(),
    hash: z.string().describe('Hash of the current file; empty if there is none.'),
    secrets: z.number().describe('Secrets in the file, which are not shown and which saving it takes out.'),
    entries: z.array(
      z.object({ title: z.string(), line: z.number(), tags: z.array(z.string()), at: z.string().optional() }),
    ),
  },
  examples: [{ title: 'Lasting facts', input: { name: 'MEMORY.md' } }],
  async run(ctx, input) {
    const { path, name, text } = await noteFileNamed(ctx, input.name)
    const clean = redactSecrets(text ?? '')
    return {
      name,
      path,
      text: clean.text,
      hash: text === undefined ? '' : sha256(text),
      secrets: clean.count,
      entries: noteEntries(clean.text)
        .filter(({ hasText }) => hasText)
        .map(({ title, line, tags, at }) => ({
          title,
          line,
          tags: [...tags],
          ...(at !== undefined && { at: new Date(at).toISOString() }),
        })),
    }
  },
  render: ({ text }) => text,
})

/** Long-term notes first, then days from newest to oldest. */
async function noteFileNames(ctx: Given<'machine'>): Promise<string[]> {
  const { notesFolder } = await ctx.upkeep()
  const names = ((await ctx.files.list(notesFolder)) ?? []).filter((name) => name.endsWith('.md'))
  const rank = (name: string): number => (name === LONG_TERM ? 0 : DAY.test(name) ? 1 : 2)
  return names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? 1 : -1))
}

const DAY = /^\d{4}-\d\d-\d\d\.md$/

/**
 * An existing note file, or one that notes may be written to. The name is checked against these before it is used as a
 * path, so it cannot leave the folder.
 */
export async function noteFileNamed(
  ctx: Given<'machine'>,
  named: string,
): Promise<{ name: string; path: string; text: string | undefined }> {
  const { notesFolder } = await ctx.upkeep()
  const name = /\.md$/i.test(named) ? named : `${named}.md`
  const path = `${notesFolder}/${name}`
  if ((await noteFileNames(ctx)).includes(name)) return { name, path, text: (await ctx.files.read(path)) ?? '' }
  if (name === LONG_TERM || isDay(name)) return { name, path, text: undefined }
  throw new AppError('not_found', `No note file named "${named}".`, {
    hint: 'List them with `ken notes`; a new one is MEMORY.md or a day, e.g. 2026-02-03.md.',
  })
}

/** Accepts only real dates, so that no log is created for the 31st of February. */
function isDay(name: string): boolean {
  if (!DAY.test(name)) return false
  const day = name.slice(0, 10)
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(day)
}
