import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { redactSecrets } from '../../kernel/domain/secrets/redact.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { plural } from '../../kernel/domain/text.ts'
import { findHidden, plainText } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { noteEntries } from '../domain/note/note-entries.ts'
import { leaseTaken, withLease } from '../lease.ts'
import { noteFileNamed, noteNameField } from './notes.ts'

const PATIENCE = 30_000
const LONGEST = 2_000_000

export const noteSave = defineOperation({
  name: 'note_save',
  title: 'Save a file of notes',
  summary: 'Replace a note file, unless it has changed since.',
  details:
    'At a terminal it opens your editor; --text takes the whole new text instead, - for standard input, with the --hash from `ken notes show --json`. Newer notes are never overwritten: the command fails with a conflict. Secrets are removed. To delete notes permanently, with a proof, there is `ken forget`.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['machine', 'memory'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  input: {
    ...noteNameField,
    text: z.string().max(LONGEST).optional().describe('The whole new text; default: open your editor.'),
    hash: z.string().max(64).optional().describe('Hash of the file as read; none for a new file.'),
  },
  output: {
    name: z.string(),
    path: z.string(),
    hash: z.string(),
    changed: z.boolean(),
    notes: z.number(),
    redacted: z.number().describe('Number of secrets removed.'),
  },
  examples: [{ title: 'A day that has no log yet', input: { name: '2026-02-03.md', text: 'Pears arrived.\n' } }],
  async run(ctx, input) {
    const file = await noteFileNamed(ctx, input.name)
    const { text: raw, hash } = await wanted(ctx, file, input)
    const clean = redactSecrets(storable(raw))
    const text = clean.text
    const changed = text !== file.text
    if (changed) {
      await replace(ctx, { ...file, text, hash })
      // If another process is updating, that process indexes the note.
      await (await ctx.memory()).update({ collections: ['memory'], embed: true, progress: ctx.progress })
    }
    return {
      name: file.name,
      path: file.path,
      hash: sha256(text),
      changed,
      notes: noteEntries(text).filter(({ hasText }) => hasText).length,
      redacted: clean.count,
    }
  },
  render: ({ name, changed, notes, redacted }) =>
    [
      changed ? `Saved ${name}: ${plural(notes, 'note')}.` : `${name} stays as it is.`,
      ...(redacted > 0 ? [`${plural(redacted, 'secret')} taken out.`] : []),
    ].join(' '),
})

interface NoteFile {
  readonly name: string
  readonly path: string
  readonly text: string | undefined
}

async function wanted(
  ctx: Given,
  file: NoteFile,
  input: { readonly text?: string | undefined; readonly hash?: string | undefined },
): Promise<{ text: string; hash: string }> {
  const now = file.text === undefined ? '' : sha256(file.text)
  if (input.text !== undefined) {
    // A missing file has no hash.
    if (input.hash !== undefined || file.text === undefined) return { text: input.text, hash: input.hash ?? '' }
    throw new AppError('invalid_input', 'hash is missing: without it, newer notes would be lost.', {
      hint: 'Get the hash from `ken notes show NAME --json`; without --text your editor opens.',
    })
  }
  if (ctx.editText === undefined)
    throw new AppError('invalid_input', 'No text given, and no editor to open.', {
      hint: 'Pass the whole new text and the hash of the old one.',
    })
  return { text: await ctx.editText(redactSecrets(file.text ?? '').text, file.name), hash: input.hash ?? now }
}

function storable(raw: string): string {
  const text = plainText(raw)
  if (text.trim() === '')
    throw new AppError('invalid_input', 'Nothing would be left of the file.', {
      hint: 'Delete notes with `ken forget`. No changes.',
    })
  const hidden = findHidden(text)
  if (hidden !== undefined)
    throw new AppError('invalid_input', `The text contains ${hidden.name} at character ${hidden.position}.`, {
      hint: 'Remove it. Nothing was changed.',
    })
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Runs under the lease: forgetting rewrites the same files. */
async function replace(
  ctx: Given<'machine'>,
  { name, path, text, hash }: { name: string; path: string; text: string; hash: string },
): Promise<void> {
  const { lease, homeFiles } = await ctx.upkeep()
  const done = await withLease(lease, PATIENCE, async () => {
    const now = await ctx.files.read(path)
    if ((now === undefined ? '' : sha256(now)) !== hash) throw changedMeanwhile(name)
    if (now === undefined) await ctx.files.write(path, text, { replace: false })
    else
      await homeFiles.rewrite(path, (before) => {
        if (sha256(before) !== hash) throw changedMeanwhile(name)
        return text
      })
    return true
  })
  if (done === undefined) throw leaseTaken()
}

const changedMeanwhile = (name: string): AppError =>
  new AppError('conflict', `${name} has changed since.`, {
    hint: 'Read it again, apply your changes and save. Nothing was overwritten.',
  })
