// Lists lines that a change adds and that may need plainer English: `npm run voice`, or `npm run voice -- --since
// <commit>`. A hit is a question, not a verdict, so the script never fails.
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { since: { type: 'string', default: 'HEAD' } } })

// Words that often replace something plainer: a relative clause for a noun, a person for a program, speech for output.
const WORDS =
  /\b(?:told|tells|says|said|speaks|hears|whoever|whose|nobody|somebody|anybody|anew|of then|lies|stands|let in|taken back|turned (?:down|away)|laid aside|left alone|(?:is|are) no|of its own|for itself|by itself|also (?:those|of)|where (?:it|there|a|the|no|one))\b/i
const PLACES = ['src', 'web', 'test', 'eval', 'bench', 'scripts', 'docs', 'README.md', 'ARCHITECTURE.md']

const diff = execFileSync('git', ['diff', '-U0', values.since, '--', ...PLACES], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
})
let file = ''
let line = 0
let hits = 0
for (const text of diff.split('\n')) {
  if (text.startsWith('+++ ')) file = text.slice('+++ b/'.length)
  else if (text.startsWith('@@')) line = Number(/\+(\d+)/.exec(text)?.[1])
  else if (text.startsWith('+')) {
    const word = WORDS.exec(wordsIn(file, text.slice(1)))
    if (word) {
      hits += 1
      console.log(`${file}:${line} "${word[0]}" ${text.slice(1).trim().slice(0, 140)}`)
    }
    line += 1
  }
}
console.log(hits === 0 ? 'No line to look at.' : `${hits} to look at.`)

/** The prose in a line: all of a page; comments, test names and strings in code. */
function wordsIn(path: string, text: string): string {
  if (path.endsWith('.md')) return text
  if (!/\.tsx?$/.test(path)) return ''
  return [...text.matchAll(/(?:\/\/|^\s*\/?\*+)(.*)|'([^']* [^']*)'|`([^`]* [^`]*)`|>([^<>{}]* [^<>{}]*)</g)]
    .map(([, ...parts]) => parts.find((part) => part !== undefined))
    .join('\n')
}
