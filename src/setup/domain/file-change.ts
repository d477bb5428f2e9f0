import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'

/**
 * Ken's change to one file, in both directions. Texts are whole files; undefined means that the file does not exist.
 */
export interface FileChange {
  readonly path: string
  /** No part of the path below this folder may be a symbolic link; without it only the file itself is checked. */
  readonly within: string | undefined
  /** The owner, in the format of `fileOwner`: a shared file is removed with its last owner. */
  readonly owner: string
  /** `ours`: the text is exactly what Ken wrote. */
  add(text: string | undefined, ours: boolean): Edit
  /** `before`: the file without Ken's changes, if known. Must return a text unchanged if it has nothing from Ken. */
  remove(text: string, before: string | undefined): Edit
}

export interface Edit {
  readonly text: string | undefined
  /** Why the file was not changed. */
  readonly kept?: string
}

/** Describes Ken's write to a file, so that removing its part restores the old bytes. */
export interface Receipt {
  readonly before: string | null
  /** SHA-256 of the text as written by Ken. */
  readonly after: string
  readonly owners: readonly string[]
  /** Folders that were created for the file, outermost first. */
  readonly folders: readonly string[]
}

export interface PlannedFile {
  readonly path: string
  readonly action: 'create' | 'edit' | 'delete' | 'none'
  readonly before: string | undefined
  readonly after: string | undefined
  readonly kept: string | undefined
  /** The receipt while the file exists; for a file to be deleted, its previous receipt. */
  readonly receipt: Receipt | undefined
}

export type Mode = 'add' | 'remove'

export function planChange(
  change: FileChange,
  mode: Mode,
  found: { text: string | undefined; receipt: Receipt | undefined },
): PlannedFile {
  try {
    return mode === 'add'
      ? planAdding(change, found.text, found.receipt)
      : planRemoval(change, found.text, found.receipt)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const hint = thrown.hint ?? 'Mend the file or move it aside, then run this again.'
    throw new AppError(thrown.code, `${change.path} was not changed: ${thrown.message}.`, { hint, cause: thrown })
  }
}

function planAdding(change: FileChange, text: string | undefined, receipt: Receipt | undefined): PlannedFile {
  const ours = isOurs(text, receipt)
  const edit = change.add(text, ours)
  const owners = [...new Set([...(receipt?.owners ?? []), change.owner])]
  const plan = { path: change.path, before: text, after: edit.text, kept: edit.kept }
  if (edit.text === undefined || edit.text === text)
    return { ...plan, action: 'none', receipt: receipt && edit.kept === undefined ? { ...receipt, owners } : receipt }
  const original = ours
    ? receipt!.before
    : text === undefined
      ? null
      : (change.remove(text, receipt?.before ?? undefined).text ?? null)
  return {
    ...plan,
    action: text === undefined ? 'create' : 'edit',
    receipt: {
      before: original,
      after: sha256(edit.text),
      owners,
      folders: text === undefined ? [] : (receipt?.folders ?? []),
    },
  }
}

function planRemoval(change: FileChange, text: string | undefined, receipt: Receipt | undefined): PlannedFile {
  const nothing = { path: change.path, action: 'none', before: text, after: text, kept: undefined } as const
  if (text === undefined) return { ...nothing, receipt: undefined }
  const others = (receipt?.owners ?? []).filter((owner) => !isUndone(owner, change.owner))
  if (others.length > 0) {
    const kept = others.includes(change.owner.split(FOR)[0]!)
      ? `installed separately (remove with \`ken setup ${others[0]!} --remove\`)`
      : `it is also used by ${others.join(' and ')}`
    return { ...nothing, kept, receipt: { ...receipt!, owners: others } }
  }
  const edit: Edit = isOurs(text, receipt)
    ? { text: receipt!.before ?? undefined }
    : change.remove(text, receipt?.before ?? undefined)
  const action = edit.text === undefined ? 'delete' : edit.text === text ? 'none' : 'edit'
  return { ...nothing, action, after: edit.text, kept: edit.kept, receipt: action === 'delete' ? receipt : undefined }
}

/** Owner of a change: a client that was set up separately, or one set up for an adopted repository. */
export const fileOwner = (client: string, adopting: string | undefined): string =>
  adopting === undefined ? client : `${client}${FOR}${adopting}`

const FOR = ' for '

/** Removing a client also removes changes made for it by adopted repositories, but not the reverse. */
const isUndone = (owner: string, by: string): boolean => owner === by || owner.startsWith(`${by}${FOR}`)

const isOurs = (text: string | undefined, receipt: Receipt | undefined): boolean =>
  text !== undefined && receipt !== undefined && sha256(text) === receipt.after

/** Ken's part of a shared file. An undefined text means that the file is empty without it. */
export interface FilePart {
  add(text: string): string
  remove(text: string, before: string | undefined): string | undefined
}

/** A change to a shared file: adds `wanted`; removal removes all parts of `all`. */
export function partsOfFile(
  file: { path: string; within: string | undefined; owner: string },
  wanted: readonly FilePart[],
  all: readonly FilePart[],
): FileChange {
  return {
    ...file,
    add: (text): Edit => ({ text: wanted.reduce((after, part) => part.add(after), text ?? '') }),
    remove(text, before): Edit {
      let after: string | undefined = text
      for (const part of all.toReversed()) after = after === undefined ? undefined : part.remove(after, before)
      return { text: after }
    },
  }
}

/** A file that belongs entirely to Ken. Never touched if others have changed it. */
export function wholeFile(file: {
  path: string
  within: string | undefined
  owner: string
  content: string
}): FileChange {
  const { content } = file
  return {
    ...file,
    add: (text, ours): Edit =>
      text === undefined || text === content || ours
        ? { text: content }
        : { text, kept: 'it differs from what Ken wrote; delete it to get the new one' },
    remove: (text): Edit =>
      text === content
        ? { text: undefined }
        : { text, kept: 'it was changed by hand; delete it yourself if you do not need it' },
  }
}
