import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededChance } from '../crash/seeded-chance.ts'
import { speak } from '../upkeep/desk.ts'

const MOST_SESSIONS = 60
const MOST_DOCUMENTS = 120

/** A word of letters only, without a suffix that a stemmer would remove, so that a search treats it as one word. */
const wordOf = (number: number): string =>
  `soak${number.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + parseInt(digit, 26)))}q`

/** Sessions that grow and documents that are added, changed and removed. Every version contains a unique word. */
export function openChangingFiles(home: string, seed: number) {
  const chance = seededChance(seed)
  const said = new Map<string, [string, string][]>()
  const documents = new Map<string, string>()
  const gone = new Set<string>()
  const docs = join(home, 'docs')
  mkdirSync(docs, { recursive: true })
  let changes = 0
  const pick = (most: number): number => Math.floor(chance() * most)

  function changeSession(word: string): void {
    const id = `soak-${pick(MOST_SESSIONS)}`
    const turns: [string, string][] = [...(said.get(id) ?? []), [`What about ${word}?`, 'It is noted.']]
    said.set(id, turns)
    speak(home, { id, cwd: `/home/u/${id.slice(-1)}`, at: new Date().toISOString(), said: turns })
  }

  function changeDocument(word: string): void {
    const path = join(docs, `${pick(MOST_DOCUMENTS)}.md`)
    const before = documents.get(path)
    if (before !== undefined) gone.add(before)
    if (before !== undefined && chance() < 0.3) {
      documents.delete(path)
      rmSync(path)
      return
    }
    documents.set(path, word)
    writeFileSync(path, `# Document\n\nThis version says ${word}.\n`)
  }

  return {
    docs,
    change(): void {
      const word = wordOf(changes++)
      if (chance() < 0.5) changeSession(word)
      else changeDocument(word)
    },
    /** Words that must be found at the end, and words that must not. */
    expected: () => ({
      present: [
        ...[...said.values()].flatMap((turns) => turns.map(([question]) => /soak[a-z]+q/.exec(question)![0])),
        ...documents.values(),
      ],
      absent: [...gone],
      changes,
    }),
  }
}
