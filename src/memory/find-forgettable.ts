import { AppError } from '../kernel/domain/errors.ts'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import { foldLetters } from '../kernel/domain/text/fold.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import { noteEntries, type NoteEntry } from './domain/note/note-entries.ts'
import type { MemoryNeeds } from './ports/memory-needs.ts'
import type { ArchivedSession } from './ports/session-archive.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'

export interface Forgettable {
  readonly kind: 'session' | 'note'
  readonly path: string
  readonly title: string
  readonly text: string
  /** 1-based lines in the file; all of them for a session. */
  readonly lines: { readonly from: number; readonly to: number }
  /** Remaining content of the file; undefined if the whole file is removed. */
  readonly rest: string | undefined
  readonly session: ArchivedSession | undefined
}

export interface Found {
  /** How the user's input was interpreted. */
  readonly by: 'id' | 'path' | 'phrase' | 'words' | 'nothing'
  readonly matches: readonly Forgettable[]
}

/**
 * Sessions and notes that a person may be referring to: found by id, by path, by a phrase in them, or by words that all
 * occur in them.
 */
export async function findForgettable(
  ctx: Call & MemoryNeeds & MachineNeeds,
  parts: UpkeepParts,
  what: string,
): Promise<Found> {
  const sessions = await parts.archive.list()
  const named = byId(sessions, what)
  if (named.length > 0) return { by: 'id', matches: await readSessions(parts, named) }
  const noted = await byNoteId(ctx, what)
  if (noted.length > 0) return { by: 'id', matches: noted }
  const atPath = await byPath(ctx, parts, { sessions, what })
  if (atPath !== undefined) return { by: 'path', matches: atPath }
  return byText(eachThing(ctx, parts, sessions), fold(what))
}

// Not searched: every session of a client would match the client's name there.
const FRONTMATTER = /^---\n[\s\S]*?\n---\n/

/** Searches by phrase; single words count only if the phrase occurs nowhere. */
async function byText(things: AsyncIterable<Forgettable>, phrase: string): Promise<Found> {
  if (phrase.length < SHORTEST_PHRASE) return { by: 'nothing', matches: [] }
  const words = phrase.split(' ')
  const [withPhrase, withWords]: [Forgettable[], Forgettable[]] = [[], []]
  for await (const thing of things) {
    const text = fold(thing.text.replace(FRONTMATTER, ''))
    if (text.includes(phrase)) withPhrase.push(thing)
    else if (withPhrase.length === 0 && words.every((word) => text.includes(word))) withWords.push(thing)
  }
  if (withPhrase.length > 0) return { by: 'phrase', matches: withPhrase }
  return { by: withWords.length > 0 ? 'words' : 'nothing', matches: withWords }
}

/** Reads one session or note file at a time: all sessions together may exceed memory. */
async function* eachThing(
  ctx: Call & MachineNeeds,
  parts: UpkeepParts,
  sessions: readonly ArchivedSession[],
): AsyncGenerator<Forgettable> {
  for (const session of sessions) yield* await readSessions(parts, [session])
  for (const path of await noteFiles(ctx, parts)) yield* notesIn(path, (await ctx.files.read(path)) ?? '')
}

async function noteFiles(ctx: Call & MachineNeeds, { notesFolder }: UpkeepParts): Promise<string[]> {
  const names = (await ctx.files.list(notesFolder)) ?? []
  return names.filter((name) => name.endsWith('.md')).map((name) => `${notesFolder}/${name}`)
}

const SHORTEST_PREFIX = 8
const SHORTEST_PHRASE = 3

/** Sessions with an id, including the sub-agents that a session started: they contain the same information. */
function byId(sessions: readonly ArchivedSession[], id: string): ArchivedSession[] {
  const exact = sessions.filter(({ session, fileId }) => session === id || fileId === id)
  const close =
    exact.length > 0 || id.length < SHORTEST_PREFIX ? exact : sessions.filter(({ session }) => session.startsWith(id))
  if (new Set(close.map(({ session }) => session)).size > 1 && exact.length === 0) return []
  const isMeant = (each: ArchivedSession) =>
    close.some(
      ({ session, client }) => each.client === client && (each.kind === 'subagent' ? each.parent : null) === session,
    )
  return sessions.filter((each) => close.includes(each) || isMeant(each))
}

/** Finds the note with this id, as shown by a search. */
async function byNoteId(ctx: Call & MemoryNeeds & MachineNeeds, id: string): Promise<Forgettable[]> {
  if (!/^#?[0-9a-f]{12}$/.test(id)) return []
  const found = await (await ctx.memory()).read(id, { within: undefined })
  if (found?.origin !== 'note') return []
  const notes = notesIn(found.path, (await ctx.files.read(found.path)) ?? '')
  return notes.filter(({ lines }) => lines.from === found.startLine && lines.to === found.endLine)
}

interface Named {
  readonly sessions: readonly ArchivedSession[]
  readonly what: string
}

async function byPath(
  ctx: Call & MachineNeeds,
  parts: UpkeepParts,
  { sessions, what }: Named,
): Promise<Forgettable[] | undefined> {
  if (/^d\d+$/i.test(what)) throw isDecision(what)
  const notes = await noteFiles(ctx, parts)
  for (const path of [what, `${ctx.cwd}/${what}`, `${parts.archive.root}/${what}`, `${parts.home}/${what}`]) {
    const session = sessions.find((each) => `${parts.archive.root}/${each.path}` === path)
    if (session !== undefined) return readSessions(parts, byId(sessions, session.fileId))
    const text = /[/\\.]/.test(what) ? await ctx.files.read(path) : undefined
    if (text === undefined) continue
    if (notes.includes(path)) return notesIn(path, text)
    const record = (await ctx.projects.list()).find(({ location }) => path.startsWith(`${location}/`))
    if (record !== undefined) throw isDecision(what)
    throw new AppError('forbidden', `${path} is not one of Ken's sessions or notes, so Ken does not delete it.`, {
      hint: 'Delete the file yourself; `ken update` takes it out of the index.',
    })
  }
  return undefined
}

const isDecision = (what: string): AppError =>
  new AppError('forbidden', `${what} belongs to the record, which can’t be deleted.`, {
    hint: 'A decision that no longer holds is superseded: `ken propose --operation supersede`.',
  })

async function readSessions({ archive }: UpkeepParts, sessions: readonly ArchivedSession[]): Promise<Forgettable[]> {
  const found: Forgettable[] = []
  for (const session of sessions) {
    const text = await archive.read(session.path)
    if (text !== undefined)
      found.push({
        kind: 'session',
        path: `${archive.root}/${session.path}`,
        title: session.title,
        text,
        session,
        rest: undefined,
        lines: { from: 1, to: Infinity },
      })
  }
  return found
}

const notesIn = (path: string, text: string): Forgettable[] =>
  noteEntries(text).map((entry) => note(path, entry, text.slice(0, entry.start) + text.slice(entry.end)))

function note(path: string, { heading, title, text, line }: NoteEntry, rest: string): Forgettable {
  const said = redactSecrets(title).text
  return {
    kind: 'note',
    path,
    title: (heading.endsWith(said) ? heading : `${heading} ${said}`).trim(),
    text,
    rest,
    session: undefined,
    lines: { from: line, to: line + text.trimEnd().split('\n').length - 1 },
  }
}

const fold = (text: string): string => foldLetters(text).toLowerCase().replace(/\s+/g, ' ').trim()
