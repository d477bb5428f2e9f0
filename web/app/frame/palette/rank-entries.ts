import { fold, searchWords } from '../../../graph/full-text.ts'
import type { PaletteEntry } from './palette-entry.ts'

/** Entries for the typed text, best first: exact name, title prefix, word prefixes, the rest. */
export function rankEntries(typed: string, entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const wanted = fold(typed.trim())
  const words = searchWords(typed)
  if (words.length === 0) return entries
  return entries
    .map((entry, place) => ({ entry, place, score: scoreOf(entry, wanted, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.entry.title.length - b.entry.title.length || a.place - b.place)
    .map(({ entry }) => entry)
}

function scoreOf({ title, names, also, found }: PaletteEntry, wanted: string, words: readonly string[]): number {
  const folded = fold(title)
  const share = found ?? 0
  if (folded === wanted || names?.some((name) => fold(name) === wanted)) return 1_000 + share
  if (folded.startsWith(wanted)) return 800 + share
  const starts = startsOf(folded)
  if (starts.some((at) => folded.startsWith(wanted, at))) return 600 + share
  const holds = (text: string, places: readonly number[]): boolean =>
    words.every((word) => places.some((at) => text.startsWith(word, at)))
  if (holds(folded, starts)) return 400 + share
  const whole = also === undefined ? '' : fold(`${title} ${also}`)
  if (also !== undefined && holds(whole, startsOf(whole))) return 200 + share
  // A hit by meaning need not contain a typed word.
  return found === undefined ? 0 : 1 + 99 * Math.max(0, Math.min(1, found))
}

/** Word offsets; `stg_orders` has two. */
const startsOf = (text: string): readonly number[] => [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index)

/** Whether the text is a question instead of a name. */
export const isQuestion = (typed: string): boolean =>
  /\?\s*$/.test(typed) ||
  /^\s*(?:how|what|which|who|when|where|why|do|does|did|is|are|can|should)\s+\S+\s+\S/i.test(typed) ||
  searchWords(typed).length > 5
