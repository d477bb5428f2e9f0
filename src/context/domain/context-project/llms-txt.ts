import { sha256 } from '../../../kernel/domain/sha256.ts'
import { GENERATOR } from './framed-file.ts'
import { entryKey, linkTarget, type Manifest } from './manifest.ts'

interface IndexedFile {
  readonly path: string
  readonly tokens: number
}

/** The index of the whole tree in the format of llmstxt.org: a section per part, hand-written files first. */
export function llmsTxt(name: string, manifest: Manifest, authored: readonly IndexedFile[]): string {
  // Sorted because items finish in any order, which the index must not depend on.
  const entries = [...manifest.values()].toSorted((a, b) =>
    entryKey(a.source, a.title) < entryKey(b.source, b.title) ? -1 : 1,
  )
  const tables = entries.filter((entry) => entry.table !== undefined)
  const others = entries.filter((entry) => entry.table === undefined && entry.source !== 'ken')
  const bySource = Map.groupBy(others, (entry) => entry.source)
  const sections = [
    section(
      'Written by people',
      authored.map((file) => link(file.path, file.path, tokensNote(file.tokens))),
    ),
    section(
      'Tables',
      tables.map((entry) => link(entry.title, entry.files[0]?.path ?? '', note(entry.table!.comment, entry.files))),
    ),
    ...[...bySource].map(([source, entries]) =>
      section(
        source,
        shorten(
          entries.flatMap((entry) => entry.files.map((file) => link(entry.title, file.path, tokensNote(file.tokens)))),
        ),
      ),
    ),
  ]
  return marked(
    [
      `# ${name}`,
      '',
      `> The compiled context of ${name}: tables, repositories and documents as files.`,
      ...sections,
    ].join('\n') + '\n',
  )
}

/** Appends Ken's mark with a hash of the text as the last line: an index has no frontmatter. */
const marked = (text: string): string => `${text}\n<!-- ${GENERATOR} ${sha256(text).slice(0, 16)} -->\n`

/** Whether a text ends with Ken's mark and is unchanged. */
export function isUntouchedIndex(text: string): boolean {
  const end = text.lastIndexOf('\n<!-- ken/')
  return end >= 0 && text === marked(text.slice(0, end))
}

// Maximum lines of a section: an index is read as a whole, and a repository of thousands of files is better listed by
// its folder.
const LONGEST_SECTION = 500

const shorten = (links: readonly string[]): readonly string[] =>
  links.length <= LONGEST_SECTION
    ? links
    : [...links.slice(0, LONGEST_SECTION), `- and ${links.length - LONGEST_SECTION} more files`]

const section = (title: string, links: readonly string[]): string =>
  links.length === 0 ? '' : ['', `## ${title}`, '', ...links].join('\n')
const link = (title: string, path: string, about: string): string =>
  `- [${title.replaceAll(/[[\]\n]/g, ' ')}](${linkTarget(path)}): ${about}`
const tokensNote = (tokens: number): string => `${tokens} tokens`
const note = (comment: string | undefined, files: readonly IndexedFile[]): string =>
  [comment?.split('\n')[0], tokensNote(files.reduce((sum, file) => sum + file.tokens, 0))].filter(Boolean).join(' · ')
