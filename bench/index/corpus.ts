import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { realTexts } from '../real-text.ts'

/**
 * Writes a reproducible corpus of Markdown: words by Zipf's law, headings, code, frontmatter. Returns its size in
 * bytes.
 */
export function writeCorpus(folder: string, files: number, seed = 12345): number {
  const page = openPages(seed)
  let bytes = 0
  for (let i = 0; i < files; i++) {
    const directory = join(folder, `area-${i % 97}`)
    if (i < 97) mkdirSync(directory, { recursive: true })
    const text = page(i)
    bytes += text.length
    writeFileSync(join(directory, `page-${i}.md`), text)
  }
  return bytes
}

/** Returns the pages of such a corpus by number, without writing files. */
export function openPages(seed = 12345): (number: number) => string {
  const chance = mulberry(seed)
  const words = vocabulary(50_000, chance)
  const word = () => words[Math.floor(words.length ** chance()) - 1] ?? words[0]!
  return (number) => document(number, { chance, word })
}

const REAL_SIZE = 4_300

/** Writes real prose, then real code, as `files` files of about the same size. Returns their size and number. */
export function writeRealCorpus(folder: string, files: number): { bytes: number; files: number } {
  let [bytes, written] = [0, 0]
  for (const kind of ['prose', 'code'] as const) {
    for (const text of realTexts(kind, (files * REAL_SIZE) / (kind === 'prose' ? 2 : 1))) {
      for (const part of inParts(text)) {
        if (written === files) return { bytes, files }
        const directory = join(folder, `area-${written % 97}`)
        mkdirSync(directory, { recursive: true })
        writeFileSync(join(directory, `page-${written++}.md`), part)
        bytes += Buffer.byteLength(part)
      }
    }
  }
  return { bytes, files: written }
}

/** Cuts at line ends. */
function inParts(text: string): string[] {
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at + REAL_SIZE)
    parts.push(text.slice(at, end < 0 ? undefined : end + 1))
    if (end < 0) break
    at = end + 1
  }
  return parts
}

/** Typical user queries: one rare word, a few common and rare ones, a sentence. */
export function makeQueries(count: number, seed = 777): string[] {
  const chance = mulberry(12345)
  const words = vocabulary(50_000, chance)
  const other = mulberry(seed)
  const pick = (power: number) => words[Math.floor(words.length ** (other() ** power)) - 1] ?? words[0]!
  return Array.from({ length: count }, (_, i) => {
    if (i % 3 === 0) return pick(0.5)
    if (i % 3 === 1) return [pick(0.7), pick(0.7), pick(1)].join(' ')
    return `how does the ${pick(0.6)} ${pick(1)} work when ${pick(0.8)} and ${pick(0.7)} ${pick(1)} change ${pick(0.9)}`
  })
}

interface Pen {
  readonly chance: () => number
  readonly word: () => string
}

function document(number: number, { chance, word }: Pen): string {
  const title = `${word()} ${word()} ${number}`
  const parts = [`---\ntitle: ${title}\ntags: [${word()}, ${word()}]\n---\n`, `# ${title}\n`]
  const target = 4_000 * (0.3 + 1.4 * chance())
  for (let size = 0; size < target;) {
    const part = chance() < 0.12 ? heading(word) : chance() < 0.1 ? code(word) : paragraph({ chance, word })
    parts.push(part)
    size += part.length
  }
  return parts.join('\n')
}

const heading = (word: () => string): string => `\n## ${word()} ${word()} ${word()}\n`
const code = (word: () => string): string =>
  `\n\`\`\`ts\nconst ${word()}_${word()} = ${word()}.${word()}(${word()})\n\`\`\`\n`

function paragraph({ chance, word }: Pen): string {
  const sentences = Array.from({ length: 2 + Math.floor(4 * chance()) }, () => {
    const line = Array.from({ length: 6 + Math.floor(14 * chance()) }, word).join(' ')
    return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`
  })
  return `${sentences.join(' ')}\n`
}

const ONSETS = 'b br c ch d dr f fl g gr h j k l m n p pl pr qu r s sh st t th tr v w'.split(' ')
const VOWELS = 'a e i o u ai ea io ou'.split(' ')
const ENDS = ['', 'n', 'r', 's', 't', 'ng', 'l', 'ck', 'ment', 'tion', 'ing', 'ed', 'ly']
const COMMON =
  'the of and to a in is for that it on with as are be this by or from an at you not can which will when if one has but all do we use what'.split(
    ' ',
  )

function vocabulary(size: number, chance: () => number): string[] {
  const words = new Set(COMMON)
  const from = (list: readonly string[]) => list[Math.floor(list.length * chance())]!
  while (words.size < size)
    words.add(
      Array.from({ length: 1 + Math.floor(3 * chance()) }, () => from(ONSETS) + from(VOWELS)).join('') + from(ENDS),
    )
  return [...words]
}

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
