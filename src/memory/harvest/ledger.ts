import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { type FileMark, type FileStat, hasNews, isAbsent, markFile, statFile } from '../../kernel/system/file-mark.ts'
import { parseObject } from '../../kernel/system/json-value.ts'
import type { HarvestedSession } from '../domain/session/session.ts'
import type { HarvestEvent, SkipReason } from '../ports/harvester.ts'

/** The source of one session. */
export interface SessionSource {
  readonly key: string
  /** Relative to the root, with forward slashes; absolute only if a setting names a file elsewhere. */
  readonly files: readonly string[]
  /** Any other dependency; if it changes, the source is read again. */
  readonly note: string
}

export interface Skip {
  readonly path: string
  readonly why: SkipReason
  readonly reason: string
  readonly session?: string
}

export interface Reading<Memo> {
  readonly session: HarvestedSession | undefined
  readonly skipped: readonly Skip[]
  /** Byte offset up to which each line-based file was read. */
  readonly offsets: Readonly<Record<string, number>>
  /** Data the next harvest needs and cannot get from this source alone. */
  readonly memo: Memo
}

interface State<Memo> {
  readonly files: Readonly<Record<string, FileMark>>
  /** Hash of the note: notes contain titles, and a cursor must not keep anything of a forgotten session. */
  readonly note: string
  /** Hashes of the session and of the faults reported for this source. */
  readonly told: { readonly session: string; readonly skipped: string }
  readonly memo: Memo
}

/** Tracks the state that the last harvest read and reported, so that only changes are read and reported. */
export class HarvestLedger<Memo> {
  readonly #root: string
  readonly #format: string
  readonly #before: ReadonlyMap<string, State<Memo>>
  /** Whether everything is read and reported again, with the previous memos. */
  readonly #again: boolean
  readonly #after = new Map<string, State<Memo>>()
  readonly #stats = new Map<string, ReadonlyMap<string, FileStat>>()

  /** `format` names client and version of the cursor; a cursor of another format is ignored. */
  constructor(root: string, format: string, cursor: string | undefined) {
    this.#root = root
    this.#format = format
    const written = parseObject(cursor ?? '')
    const states = written?.format === format ? (written.states as Record<string, State<Memo>>) : {}
    this.#again = written?.again === true
    this.#before = new Map(Object.entries(states))
  }

  /** The memo of this harvest, or otherwise of the last one. */
  memo(key: string): Memo | undefined {
    return (this.#after.get(key) ?? this.#before.get(key))?.memo
  }

  /** Everything the last harvest remembered. */
  remembered(): Iterable<readonly [key: string, state: State<Memo>]> {
    return this.#before
  }

  /** Returns false if the remembered state stays valid; after true, `settle` must follow. */
  async changed(source: SessionSource): Promise<boolean> {
    const state = this.#before.get(source.key)
    const stats = new Map<string, FileStat>()
    for (const path of source.files) {
      const found = await statFile(resolve(this.#root, path))
      if (found) stats.set(path, found)
    }
    this.#stats.set(source.key, stats)
    if (this.#again) return true
    if (state === undefined || state.note !== digest(source.note) || Object.keys(state.files).length !== stats.size)
      return true
    const marks = new Map(Object.entries(state.files))
    for (const [path, now] of stats) {
      const mark = marks.get(path)
      if (mark === undefined || (await hasNews(resolve(this.#root, path), now, mark))) return true
      marks.set(path, { ...mark, ...now })
    }
    this.#after.set(source.key, { ...state, files: Object.fromEntries(marks) })
    return false
  }

  /** Keeps the remembered state of a source, as if it had not been checked. */
  keep(key: string): void {
    const state = this.#before.get(key)
    if (state) this.#after.set(key, state)
    else this.#after.delete(key)
  }

  /** Reads a changed source and returns its new events; a file deleted meanwhile is not reported. */
  async settle(source: SessionSource, read: () => Promise<Reading<Memo>>): Promise<HarvestEvent[]> {
    const reading = await this.#attempt(source, read)
    if (reading === undefined) return []
    const files: Record<string, FileMark> = {}
    for (const [path, now] of this.#stats.get(source.key) ?? []) {
      const mark = await markFile(resolve(this.#root, path), now, reading.offsets[path] ?? null).catch(() => undefined)
      if (mark) files[path] = mark
    }
    // A half-written tail is not reported until it is complete.
    const told = { session: digest({ ...reading.session, partialTail: undefined }), skipped: digest(reading.skipped) }
    this.#after.set(source.key, { files, note: digest(source.note), told, memo: reading.memo })
    const before = this.#again ? undefined : this.#before.get(source.key)?.told
    const session: HarvestEvent[] =
      reading.session && before?.session !== told.session ? [{ kind: 'session', session: reading.session }] : []
    const skipped =
      before?.skipped === told.skipped
        ? []
        : reading.skipped.map((skip): HarvestEvent => ({ kind: 'skipped', ...skip }))
    return [...session, ...skipped]
  }

  cursor(): HarvestEvent {
    const states = Object.fromEntries([...this.#after].sort(([a], [b]) => (a < b ? -1 : 1)))
    return { kind: 'cursor', cursor: JSON.stringify({ format: this.#format, states }) }
  }

  async #attempt(source: SessionSource, read: () => Promise<Reading<Memo>>): Promise<Reading<Memo> | undefined> {
    try {
      return await read()
    } catch (error) {
      if (isAbsent(error)) return undefined
      const skip = skipOf(source.files[0] ?? source.key, error)
      return { session: undefined, skipped: [skip], offsets: {}, memo: this.memo(source.key) as Memo }
    }
  }
}

function skipOf(path: string, error: unknown): Skip {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (syscall !== undefined) return { path, why: 'unreadable', reason: `The file cannot be read (${code}).` }
  if (/^(?:Z_|ZSTD_|ERR_ZSTD)/.test(code ?? ''))
    return { path, why: 'damaged', reason: `The file cannot be decompressed (${message}).` }
  if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE')
    return { path, why: 'damaged', reason: 'The file is too large to be read.' }
  if (code === 'ERR_SQLITE_ERROR') return { path, why: 'damaged', reason: `The database cannot be read (${message}).` }
  throw error
}

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
