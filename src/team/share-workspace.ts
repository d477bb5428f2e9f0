import { givenHash } from '../memory/index-shared.ts'
import type { ShareableText } from '../memory/ports/memory.ts'
import type { SentText, SharingServer } from './ports/sharing.ts'

/** Texts that sharing would send, and those it would skip. */
export interface SharePlan {
  readonly texts: readonly ShareableText[]
  /** Texts that exceed the server's length limit. */
  readonly tooLong: readonly ShareableText[]
}

const LONGEST_TEXT = 2_000_000
const MOST_TEXTS = 20_000

/** The newest texts of a workspace that a server accepts. The path of the user's home is replaced by `~` throughout. */
export async function planShare(all: AsyncIterable<ShareableText>, home: string): Promise<SharePlan> {
  const texts: ShareableText[] = []
  const tooLong: ShareableText[] = []
  for await (const found of all) {
    const one = { ...found, text: withoutHome(found.text, home) }
    if (one.text.length > LONGEST_TEXT) tooLong.push(one)
    else texts.push(one)
    if (texts.length === MOST_TEXTS) break
  }
  return { texts, tooLong }
}

/**
 * Replaces the path of the user's home by `~`, both as plain text and in its escaped form in JSON or a quoted Windows
 * path.
 */
export const withoutHome = (text: string, home: string): string =>
  /^(?:[/\\]|[A-Za-z]:[/\\])?$/.test(home)
    ? text
    : text.replaceAll(home, '~').replaceAll(home.replaceAll('\\', '\\\\'), '~')

export interface SharedCounts {
  readonly sent: number
  readonly unchanged: number
  readonly removed: number
}

// Limits of one request; the server inflates at most 16 MB.
const TEXTS_AT_ONCE = 50
const CHARACTERS_AT_ONCE = 1_000_000
const NAMES_AT_ONCE = 1_000

/**
 * Updates a share to match the plan: sends new and changed texts, removes deleted ones. Each request is independent, so
 * that an interrupted update resumes the next time.
 */
export async function bringUpToDate(
  server: SharingServer,
  { share, plan }: { readonly share: string; readonly plan: SharePlan },
  progress: (done: number, total: number) => void = () => {},
): Promise<SharedCounts> {
  const held = await server.held(share)
  const wanted = plan.texts.filter((text) => held.get(text.name) !== givenHash(toSent(text)))
  const names = new Set(plan.texts.map(({ name }) => name))
  const gone = [...held.keys()].filter((name) => !names.has(name))
  // Removals come first, so that texts forgotten here do not remain on the server longer than necessary.
  for (let at = 0; at < gone.length; at += NAMES_AT_ONCE) await server.remove(share, gone.slice(at, at + NAMES_AT_ONCE))
  let sent = 0
  for (const batch of inRequests(wanted)) {
    await server.send(share, batch.map(toSent))
    sent += batch.length
    progress(sent, wanted.length)
  }
  await server.finish(share)
  return { sent, unchanged: plan.texts.length - wanted.length, removed: gone.length }
}

/** A session is found by its text alone, so it has no tags. */
const toSent = ({ name, origin, tags, modified, text }: ShareableText): SentText => ({
  name,
  origin,
  tags: origin === 'note' ? tags.slice(0, MOST_TAGS).map((tag) => tag.slice(0, LONGEST_TAG)) : [],
  modified: Math.max(0, Math.round(modified)),
  text,
})

const [MOST_TAGS, LONGEST_TAG] = [20, 64]

function* inRequests(texts: readonly ShareableText[]): Generator<readonly ShareableText[]> {
  let some: ShareableText[] = []
  let characters = 0
  for (const text of texts) {
    if (some.length > 0 && (some.length === TEXTS_AT_ONCE || characters + text.text.length > CHARACTERS_AT_ONCE)) {
      yield some
      ;[some, characters] = [[], 0]
    }
    some.push(text)
    characters += text.text.length
  }
  if (some.length > 0) yield some
}
