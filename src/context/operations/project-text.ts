import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { secretSpans } from '../../kernel/domain/secrets/redact.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { findHidden, plainText, visible } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { maskText, unmaskText } from '../domain/context-project/masked-text.ts'

/** The two files of a context project that people write and Ken reads. */
export const projectFile = z.enum(['ken.yaml', 'RULES.md'])

type ProjectFile = z.output<typeof projectFile>

/** A project file as shown to a person. */
interface ShownText {
  /** With a numbered mark in place of each secret. */
  readonly text: string
  /** Changes with the file. */
  readonly version: string
  /** Why edits of this text cannot be written back; undefined if they can. */
  readonly fixed: string | undefined
}

/** Folder of the context project here, even if its ken.yaml is unreadable. */
export const projectRoot = async (ctx: Given<'context'>): Promise<string> =>
  (await ctx.contextProject(undefined, BLANK)).root

const BLANK = { yaml: 'name: context\n', env: '' }

/** File unchanged; undefined if missing. Writes nothing and follows no link. */
export const readProjectText = (ctx: Given<'machine'>, root: string, file: ProjectFile): Promise<string | undefined> =>
  ctx.configFiles.changeText(root, file, (now) => ({ result: now }))

export const versionOf = (text: string | undefined): string => (text === undefined ? 'none' : sha256(text).slice(0, 16))

export async function shownText(ctx: Given<'context'>, raw: string | undefined): Promise<ShownText> {
  const { text } = maskText(plainText(raw ?? ''))
  const known = await ctx.contextProject().catch(() => undefined)
  // Values from .env are recognised wherever they were copied to.
  const redacted = known === undefined ? { text, count: 0 } : await known.redact(text)
  const hidden = findHidden(text)
  const fixed =
    redacted.count > 0
      ? 'It holds the value of a variable of your environment. Change it in an editor.'
      : hidden !== undefined
        ? `It holds ${hidden.name}, which nobody sees. Change it in an editor.`
        : undefined
  return { text: fixed === undefined ? text : visible(redacted.text), version: versionOf(raw), fixed }
}

/** Edited text as bytes to write, with secrets, line ends and byte order mark restored. */
export function writtenText(edited: string, original: string | undefined): string {
  const plain = plainText(original ?? '')
  const text = unmaskText(plainText(edited), plain)
  const hidden = findHidden(text)
  if (hidden !== undefined)
    throw new AppError('invalid_input', `Character ${hidden.position} is ${hidden.name}, which is invisible.`, {
      hint: 'Remove it.',
    })
  refuseNewSecrets(text, plain)
  const mark = original?.startsWith('\uFEFF') ? '\uFEFF' : ''
  return mark + (original?.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text)
}

/** Secrets already in the file are tolerated; new ones belong in the environment. */
function refuseNewSecrets(text: string, before: string): void {
  const known = new Set(secretSpans(before).map(([from, to]) => before.slice(from, to)))
  const added = secretSpans(text).find(([from, to]) => !known.has(text.slice(from, to)))
  if (added === undefined) return
  const line = text.slice(0, added[0]).split('\n').length
  throw new AppError('invalid_input', `Line ${line} would contain a plain-text secret.`, {
    hint: 'In ken.yaml write ${NAME} and set NAME in .env; in RULES.md leave it out, because models read it.',
    details: { line },
  })
}
